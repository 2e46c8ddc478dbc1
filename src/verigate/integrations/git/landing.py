"""Read what git is about to commit, as its hook commit-msg finds it: the tree, and the parents."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from verigate.errors import ExecutionError
from verigate.integrations.git.amending import is_amending

_TIMEOUT_S = 60.0
_MOST_BYTES = 1_000_000


class Landing(Struct, frozen=True):
    """The commit that git is about to make.

    ``tree`` is that of GIT_INDEX_FILE; ``head`` is None on an unborn branch; ``merged`` are the commits that a merge
    joins with HEAD. ``head_parents`` are those of HEAD. ``keeps_tree``: the tree is that of HEAD, so HEAD gets another
    message (``--amend``, reword), or another commit of the same files follows. ``amends``: it takes the place of HEAD.
    """

    tree: str
    head: str | None
    merged: tuple[str, ...] = ()
    head_parents: tuple[str, ...] = ()
    keeps_tree: bool = False
    amends: bool = False

    @property
    def parents(self) -> tuple[str, ...]:
        """The parents that the commit will have."""
        if self.amends:
            return self.head_parents
        return (*(() if self.head is None else (self.head,)), *self.merged)


def read_landing(root: Path, environ: Mapping[str, str]) -> Landing:
    """Read what is about to be committed. Raises ExecutionError where git can't say it."""
    tree = _ask(root, environ, "write-tree").strip()
    asked = ("rev-parse", "--absolute-git-dir", "--revs-only", "HEAD", "HEAD^{tree}", "HEAD^@")
    folder, *found = _ask(root, environ, *asked).splitlines()
    if not found:
        return Landing(tree, None)
    head, head_tree, *head_parents = found
    merged = _read_merged(root, environ, f"{folder}/MERGE_HEAD")
    keeps_tree = tree == head_tree and not merged
    amends = keeps_tree or (not merged and is_amending())
    return Landing(tree, head, merged, tuple(head_parents), keeps_tree, amends)


def list_differing(root: Path, environ: Mapping[str, str], tree: str, parents: tuple[str, ...]) -> frozenset[str]:
    """List the paths in which a tree differs from all parents. Raises ExecutionError.

    Bytes that are no UTF-8 are a backslash, x and two digits, as in domain values.
    """
    sides = []
    for parent in parents:
        raw = _ask_bytes(root, environ, "diff-tree", "-r", "-z", "--name-only", "--no-renames", parent, tree)
        sides.append(frozenset(name.decode("utf-8", "backslashreplace") for name in raw.split(b"\0") if name))
    return frozenset.intersection(*sides)


def _read_merged(root: Path, environ: Mapping[str, str], path: str) -> tuple[str, ...]:
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - the path that git prints
            words = stream.read(_MOST_BYTES).decode("ascii", "replace").split()
    except OSError:
        return ()
    names = [word for word in words if word.isalnum()]
    # The name may be that of an annotated tag.
    return tuple(_ask(root, environ, "rev-parse", *(f"{name}^{{commit}}" for name in names)).split()) if names else ()


def _ask(root: Path, environ: Mapping[str, str], *arguments: str) -> str:
    return os.fsdecode(_ask_bytes(root, environ, *arguments))


def _ask_bytes(root: Path, environ: Mapping[str, str], *arguments: str) -> bytes:
    try:
        done = subprocess.run(
            ("git", "-C", os.fspath(root), *arguments), env={**environ, "LC_ALL": "C"}, stdin=subprocess.DEVNULL,
            capture_output=True, check=False, timeout=_TIMEOUT_S,
        )  # fmt: skip
    except FileNotFoundError:
        raise ExecutionError("git is not on PATH", hint="install git") from None
    if done.returncode != 0:
        stderr = os.fsdecode(done.stderr).strip()
        raise ExecutionError(
            f"what is about to be committed can't be read: git {arguments[0]} failed: {stderr[-300:]}",
            hint="run git status",
        )
    return done.stdout
