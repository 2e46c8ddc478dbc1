"""Find the lines that a commit takes out which undoes another one exactly, as its message says."""

from __future__ import annotations

import re

from verigate.domain.commit_text import CommitText
from verigate.errors import SubjectError
from verigate.subject.git import Git

_SAYS = re.compile(r"^This reverts commit (?P<id>[0-9a-f]{40}(?:[0-9a-f]{24})?)\.?$", re.MULTILINE)
_PATCH = (
    "diff-tree",
    "-p",
    "-U0",
    "--binary",
    "--no-commit-id",
    "--no-renames",
    "--no-prefix",
    "--no-ext-diff",
    "--no-textconv",
    "--root",
)
_PLACES = (b"@@ ", b"index ")
"""Starts of lines that say where something stands, which differs from commit to commit."""

MAX_BYTES = 8 << 20
"""A larger patch isn't compared."""


def read_reverted_lines(git: Git, commit: CommitText) -> tuple[str, ...] | None:
    """Return the lines that a commit takes out; None for one that says no revert, or does more or less than that.

    What it undoes has to be an earlier commit of its own history.
    """
    said = _SAYS.search(commit.message)
    if said is None or len(commit.parents) > 1:
        return None
    if git.attempt("merge-base", "--is-ancestor", said["id"], commit.id).returncode != 0:
        return None
    try:
        done, wanted = git.run(*_PATCH, commit.id), git.run(*_PATCH, "-R", said["id"])
    except SubjectError:
        return None  # a commit that isn't here
    if not done or max(len(done), len(wanted)) > MAX_BYTES or _read_change(done) != _read_change(wanted):
        return None
    lines = done.decode("utf-8", "replace").splitlines()
    return tuple(line[1:] for line in lines if line.startswith("-") and not line.startswith("--- "))


def _read_change(patch: bytes) -> list[bytes]:
    return [line for line in patch.splitlines() if not line.startswith(_PLACES)]
