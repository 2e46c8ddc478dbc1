"""Verify each commit of a range by itself: one that went past the hooks is verified here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from verigate.domain.commit_text import CommitText
from verigate.domain.commit_verdict import CommitVerdict
from verigate.domain.verdict import Verdict
from verigate.errors import GateError


def verify_commits(
    commits: Iterable[CommitText],
    verify: Callable[[CommitText], Verdict | None],
    *,
    never_verified: Collection[CommitText] = (),
) -> Iterator[CommitVerdict]:
    """Verify the commits in their order. What ends one without a verdict doesn't end the others.

    ``never_verified`` are those of which nothing says that they were verified before.
    """
    ids = {commit.id for commit in never_verified}
    for commit in commits:
        try:
            yield CommitVerdict(commit, verify(commit), never_verified=commit.id in ids)
        except GateError as problem:
            yield CommitVerdict(commit, None, str(problem), never_verified=commit.id in ids)
