"""Refuse commands for paths that no request in words may remove or change, whatever anybody says yes to.

These are the file system's root and its folders, the home folder, this folder and those above it, the root of a
repository, and whatever is in ``.git``. A command that removes more files than can be shown is refused too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from verigate.errors import Fault
from verigate.tools.effects import AffectedPath
from verigate.tools.model import Effect, ToolCapability

MAX_AFFECTED = 1000
"""Most files that a command may remove, change or write: all of them are shown."""


def find_protected(
    capability: ToolCapability, affected: Sequence[AffectedPath], folder: str, environ: Mapping[str, str]
) -> Fault | None:
    """Return why a command must not run in ``folder``; None if it may.

    Changing the files of one kind in this folder is allowed ("format this project"), changing or removing the folder
    is not.
    """
    home = _resolve(environ.get("HOME") or os.path.expanduser("~"), folder)  # noqa: PTH111 - pathlib is slow to load
    here = os.path.realpath(folder)
    for each in affected:
        why = _explain(capability, each, folder, here, home)
        if why is not None:
            return Fault(f"{each.path} is {why}", hint="no request in words removes or changes it; do it yourself")
    return None


def _explain(capability: ToolCapability, each: AffectedPath, folder: str, here: str, home: str) -> str | None:
    for path in dict.fromkeys((_normalize(each.path, folder), _resolve(each.path, folder))):
        if any(part.lower() == ".git" for part in path.split(os.sep)):  # noqa: PTH206 - as above
            return "part of git's own folder"
        if each.effect is Effect.WRITES or (each.effect is Effect.CHANGES and not capability.domain.match_any):
            continue
        if path.rstrip(os.sep).count(os.sep) <= 1 and (path == os.sep or os.path.isdir(path)):  # noqa: PTH112 - as above
            return "the root of the file system or one of its folders"
        if _is_within(home, path):
            return "the home folder, or one above it"
        if _is_within(here, path):
            return "the folder that you are in, or one above it"
        if os.path.lexists(os.path.join(path, ".git")):  # noqa: PTH118 - as above
            return "the root of a repository"
    return None


def _normalize(path: str, folder: str) -> str:
    return os.path.normpath(os.path.join(folder, path))  # noqa: PTH118 - as above


def _resolve(path: str, folder: str) -> str:
    """Resolve a path as the command does: a link itself is removed, what it leads to only with a final slash."""
    whole = os.path.join(folder, path)  # noqa: PTH118 - as above
    if path.endswith("/"):
        return os.path.realpath(whole)
    head, name = os.path.split(os.path.normpath(whole))
    return os.path.join(os.path.realpath(head), name)  # noqa: PTH118 - as above


def _is_within(inner: str, outer: str) -> bool:
    """Whether ``inner`` is ``outer`` or below it."""
    return inner == outer or inner.startswith(outer.rstrip(os.sep) + os.sep)


def list_contents(path: str, limit: int) -> Iterator[str]:
    """Yield the files below a folder, as paths from it, at most ``limit``; links aren't followed."""
    found = 0
    for place, folders, names in os.walk(path):
        folders.sort()
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]  # noqa: PTH114, PTH118 - as above
        for name in (*sorted(names), *links):
            if found == limit:
                return
            found += 1
            yield os.path.relpath(os.path.join(place, name), path)  # noqa: PTH118 - as above
