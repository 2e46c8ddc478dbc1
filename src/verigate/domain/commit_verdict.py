"""The verdicts of the commits of a range, and the worst of them."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from verigate.domain.commit_text import CommitText
from verigate.domain.verdict import Status, Verdict

_SEVERITY = (Status.PASS, Status.INCONCLUSIVE, Status.FAIL, Status.ERROR)
"""Every status, the mildest first, as the precedence in a verdict has it."""


class CommitVerdict(Struct, frozen=True):
    """The verdict of one commit.

    ``verdict`` is None where nothing differs from the parent, or where ``problem`` says why there is none.
    ``never_verified``: nothing on this machine says that it was verified before.
    """

    commit: CommitText
    verdict: Verdict | None
    problem: str = ""
    never_verified: bool = False

    @property
    def status(self) -> Status:
        """The status; a commit without a difference has nothing against it."""
        if self.problem:
            return Status.ERROR
        return Status.PASS if self.verdict is None else self.verdict.status

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return self.commit.message.strip().partition("\n")[0]


def find_worst(statuses: Iterable[Status]) -> Status:
    """Return the most severe status; a pass if there is none."""
    return max(statuses, key=_SEVERITY.index, default=Status.PASS)
