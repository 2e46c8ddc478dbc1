"""List the changes between the base and the subject."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.sdk.artifacts import path_text
from verigate.sdk.errors import AdapterError
from verigate.sdk.subject.repository import DIFF, EXCLUDE_ARTIFACTS, Repository, resolve_base

if TYPE_CHECKING:
    from verigate.sdk.request import Request

RAW = (*DIFF, "--cached", "--find-renames=50%", "--raw", "--no-abbrev", "-z")
"""The git command of ``read_changes``; ``parse_changes`` reads its output."""

_HEAD = re.compile(rb":(\d{6}) (\d{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ([A-Z])(\d*)")


class Change(Struct, frozen=True):
    """A path that differs between base and subject.

    ``status`` is git's letter: A added, M modified, D deleted, T of another type, R renamed from ``source``, and
    ``similarity`` is in percent. Paths are as ``os.fsdecode`` gives them. ``modes`` are git's, ``000000`` for a
    missing side; ``oids`` are the object ids of the contents.
    """

    status: str
    path: str
    modes: tuple[str, str]
    oids: tuple[str, str]
    source: str | None = None
    similarity: int = 0


def changed_paths(request: Request, repository: Repository) -> frozenset[str]:
    """Return the paths that differ from the base, as ``os.fsdecode`` gives them; untracked ones too in a call by hand.

    A renamed file counts as changed; a deleted one isn't part of the subject. The base is that of ``resolve_base``.
    Raises ToolFailed if git can't list all of them, AdapterError if the base doesn't exist.
    """
    base = resolve_base(request, repository)
    compared = ("--cached",) if request.gated else ()
    names = (*DIFF, *compared, "--name-only", "--no-renames", "--diff-filter=d", "-z", base, "--", *EXCLUDE_ARTIFACTS)
    found = {*repository.entries(*names)}
    if not request.gated:
        found |= {*repository.entries("ls-files", "--others", "--exclude-standard", "-z", "--", *EXCLUDE_ARTIFACTS)}
    return frozenset(map(os.fsdecode, found))


def read_changes(
    repository: Repository, base: str, *, paths: Sequence[str] = (), renames: bool = True
) -> tuple[Change, ...]:
    """List all differences between ``base`` and the index in git's order; renames from 50 % similarity, or none.

    ``paths`` are pathspecs: without one of them a file counts on neither side.

    Raises ToolFailed if git can't list all of them, AdapterError for a path with an unresolved conflict.
    """
    command = RAW if renames else (*RAW, "--no-renames")
    return tuple(
        parse_changes(
            repository.entries(*command, base, "--", *(paths or EXCLUDE_ARTIFACTS[:1]), *EXCLUDE_ARTIFACTS[1:])
        )
    )


def read_changes_between(repository: Repository, old: str, new: str) -> tuple[Change, ...]:
    """List all differences between two commits in git's order, without renames. Raises ToolFailed."""
    command = (*DIFF, "--no-renames", "--raw", "--no-abbrev", "-z")
    return tuple(parse_changes(repository.entries(*command, old, new, "--", *EXCLUDE_ARTIFACTS)))


def parse_changes(entries: Iterable[bytes]) -> Iterator[Change]:
    """Parse the entries of ``git diff --raw -z``: ``:mode mode oid oid STATUS``, path, and a second path for a rename.

    Raises AdapterError for any other format. Source: git-diff(1), "Raw output format".
    """
    fields = iter(entries)
    for head in fields:
        match = _HEAD.fullmatch(head)
        if match is None:
            raise AdapterError(f"git diff --raw printed {path_text(head)!r}, which is not its format")
        old, new, before, after, status, score = (part.decode() for part in match.groups())
        path = _next(fields)
        if status == "R":
            yield Change("R", _next(fields), (old, new), (before, after), path, int(score))
        elif status in "AMDT":
            yield Change(status, path, (old, new), (before, after))
        else:
            hint = "if it is a conflict, resolve it and run git add"
            raise AdapterError(f"{path_text(path)!r} has the status {status!r}", hint=hint)


def _next(fields: Iterator[bytes]) -> str:
    try:
        return os.fsdecode(next(fields))
    except StopIteration:
        raise AdapterError("git diff --raw ended in the middle of an entry") from None
