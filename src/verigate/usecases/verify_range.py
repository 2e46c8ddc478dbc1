"""Verify each commit of a range by itself: one that went past the hooks is verified here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from verigate.domain.commit_text import CommitText
from verigate.domain.commit_verdict import CommitVerdict
from verigate.domain.verdict import Verdict
from verigate.errors import GateError


def verify_commits(
    commits: Iterable[CommitText], verify: Callable[[CommitText], Verdict | None]
) -> Iterator[CommitVerdict]:
    """Verify the commits in their order. What ends one without a verdict doesn't end the others."""
    for commit in commits:
        try:
            yield CommitVerdict(commit, verify(commit))
        except GateError as problem:
            yield CommitVerdict(commit, None, str(problem))
