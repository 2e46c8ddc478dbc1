"""List the merges of a range, and which of them hold what git alone wouldn't have merged."""

from __future__ import annotations

from msgspec import Struct

from verigate.subject.git import Git

MOST_MERGES = 200
"""The newest merges of a range that are looked at."""


class Merge(Struct, frozen=True):
    """A merge. ``is_plain``: its tree is the one that git makes of its two parents by itself."""

    id: str
    is_plain: bool


def list_merges(git: Git, span: str) -> tuple[Merge, ...]:
    """List the merges of a revision range, the newest first; ``git`` may write objects. Raises SubjectError.

    A merge of more than two parents, and any one where git is older than 2.38, isn't plain.
    """
    asked = ("rev-list", "--merges", "--parents", f"--max-count={MOST_MERGES}", "--end-of-options", span, "--")
    return tuple(
        Merge(commit, _is_plain(git, commit, parents))
        for commit, *parents in map(str.split, git.run(*asked).decode("ascii").splitlines())
    )


def _is_plain(git: Git, commit: str, parents: list[str]) -> bool:
    if len(parents) != 2:
        return False
    tree = git.run("rev-parse", "--verify", f"{commit}^{{tree}}").strip()
    done = git.attempt("merge-tree", "--write-tree", *parents)
    return done.returncode == 0 and done.stdout.split(b"\n", 1)[0] == tree
