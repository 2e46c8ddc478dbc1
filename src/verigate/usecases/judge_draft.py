"""Judge what the message of a commit that is being made says of it, by the facts of its diff."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.ledger import LedgerEntry, Standing
from verigate.domain.verdict import Verdict
from verigate.usecases.ledger import judge_draft
from verigate.usecases.request import Request
from verigate.usecases.services import Services
from verigate.usecases.silent import Silent
from verigate.usecases.verify import verify


class DraftJudged(Struct, frozen=True):
    """What of a message is refuted, and whether that decides, as the profile requires statements."""

    entry: LedgerEntry
    decides: bool

    @property
    def refuted(self) -> tuple[str, ...]:
        """Why each refuted statement is."""
        return tuple(each.message for each in self.entry.statements if each.standing is Standing.REFUTED)


def judge_message_draft(message: str, base: str | None, services: Services) -> DraftJudged:
    """Judge a message against ``base``, the parent that the commit will have. Never raises GateError."""
    quiet = replace(services, listener=Silent())
    decides = False

    def run(request: Request) -> Verdict | None:
        nonlocal decides
        verdict = verify(request, quiet).verdict
        decides = verdict is not None and verdict.policy["thresholds"].get("statements") == "require"
        return verdict

    entry = judge_draft(message, run, base)
    return DraftJudged(entry, decides)
