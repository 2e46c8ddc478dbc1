"""Remember the commits that passed, and say at a push which ones never did by themselves."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from verigate.cli.output import say
from verigate.composition.verified_commits import open_verified_commits
from verigate.domain.verdict import Status
from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verigate.domain.commit_text import CommitText
    from verigate.usecases.verify import Verified

MOST_LISTED = 5000
"""The newest commits of a push that are looked up."""

_SHOWN = 5
_USUAL = " (usual for commits made before `gate install`, or in a task)"


def remember_index(root: Path, landing: tuple[str, str | None], merged: tuple[str, ...]) -> None:
    """Remember the commit that git will make of an index that passed; the values are those of the workspace."""
    tree, head = landing
    known = open_verified_commits(root, os.environ)
    if known is not None:
        known.keep(tree, (*(() if head is None else (head,)), *merged))


def report_push(root: Path, base: str, tip: str, verified: Verified) -> None:
    """Say which commits of a push were never verified by themselves. Remember one that is all of it, and passed."""
    from verigate.composition.history import list_commits, name_span

    known = open_verified_commits(root, os.environ)
    if known is None:
        return
    commits = list_commits(root, os.environ, name_span(root, os.environ, base, tip), MOST_LISTED)
    unknown = known.find_unknown(commits)
    if unknown and verified.verdict is not None:
        say(describe_unverified(unknown, len(commits), "only the push as a whole is verified"), err=True)
    passed = verified.verdict is not None and verified.verdict.status is Status.PASS
    if passed and len(commits) == 1 and commits[0].id == tip and commits[0].parents == (base,):
        known.keep(commits[0].tree, commits[0].parents)


def describe_unverified(unknown: Sequence[CommitText], of: int, what: str) -> str:
    """Return a sentence that ends with ``what`` becomes of commits, and lines that name them, the newest first."""
    count = "1 of 1 commit" if of == 1 else f"{len(unknown)} of {of}{'+' if of == MOST_LISTED else ''} commits"
    named = [f"  {each.id[:12]}  {escape(each.message.strip().partition(chr(10))[0], limit=72)}" for each in unknown]
    more = [f"  … and {len(named) - _SHOWN} more"] if len(named) > _SHOWN else []
    was = "was" if len(unknown) == 1 else "were"
    usual = _USUAL if len(unknown) == of else ""
    return "\n".join((f"verigate: {count} {was} never verified here: {what}{usual}", *named[:_SHOWN], *more))
