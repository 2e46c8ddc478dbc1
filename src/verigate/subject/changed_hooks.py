"""Compare the changed configurations of hook runners, as base and subject have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from verigate.sdk.hook_runners.changes import HookChange
from verigate.sdk.hook_runners.compare import compare_hooks
from verigate.subject.git import Git
from verigate.subject.resolve_subject import GitSubject
from verigate.subject.tree_listing import GITLINK, LINK


def compare_changed_hooks(git: Git, found: GitSubject, paths: Iterable[str]) -> Mapping[str, tuple[HookChange, ...]]:
    """Map those of ``paths`` that are no link on either side to what changed in them. Raises SubjectError."""
    return {path: compare_hooks(path, *sides) for path in paths if (sides := _read_sides(git, found, path)) is not None}


def _read_sides(git: Git, found: GitSubject, path: str) -> tuple[bytes | None, bytes | None] | None:
    """Read a file in base and subject; None if it isn't the same kind of regular file on both sides."""
    name = path.encode("utf-8", "surrogateescape")
    entries = (found.find_in_base(name), found.entries.get(name))
    if any(entry is not None and entry.mode in {LINK, GITLINK} for entry in entries):
        return None
    before, after = (None if entry is None else git.run("cat-file", "blob", entry.oid) for entry in entries)
    return before, after
