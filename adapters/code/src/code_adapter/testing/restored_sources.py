"""Give each test runner of one call the subject's own files: what ran before may have written over them.

A test of one project could fix the code of another, or leave what its tests load: a ``conftest.py``, bytecode, another
runner in ``node_modules``. What git restores from is held by the SDK: see ``verigate.sdk.subject.held_git``.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from code_adapter.detection import Runnable
from code_adapter.held_entries import HeldPlaces, Tracked, describe, find_untracked, hold_places
from verigate.sdk import Request, ToolFailed
from verigate.sdk.subject import Repository, find_repository

Step = TypeVar("Step", bound=Runnable[Any])
_Seen = Mapping[str, tuple[int, ...] | None]
_LOADED = frozenset({"__pycache__", "node_modules"})
"""Folders that git ignores as it does what is built, and from which tests load unasked."""


def restore_between(
    request: Request, paths: Collection[str], steps: Sequence[Step], extra: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Step]:
    """Yield each step; before each but the first, restore those of ``paths`` (of the index) that were written to.

    What was left behind since is removed, where the step may load it. Only in the gate's own checkout: a call by hand
    is in the user's files. ``extra`` selects another index. Raises ToolFailed if they can't be restored.
    """
    places = hold_places(request)
    if len(steps) < 2 or not request.gated:
        yield from steps
        return
    repository = find_repository(request, extra)
    index = None if "GIT_INDEX_FILE" not in extra else Path(extra["GIT_INDEX_FILE"]).read_bytes()
    left = None
    if repository is not None and places is not None:
        left = _LeftBehind(repository, places, Tracked.read(paths), frozenset(step.folder for step in steps))
    seen = _look(request.repo_root, paths)
    for number, step in enumerate(steps):
        now = _look(request.repo_root, paths) if number else seen
        if changed := [path for path in paths if now[path] != seen[path]]:
            if repository is None:
                hint = "put the folder under git, or let no test write over its sources"
                raise ToolFailed(f"tests changed {', '.join(changed[:5])} before others ran", hint=hint)
            if index is not None:
                Path(extra["GIT_INDEX_FILE"]).write_bytes(index)
            names = b"".join(os.fsencode(path) + b"\0" for path in changed)
            repository.git("checkout-index", "--force", "-z", "--stdin", stdin=names)
            seen = _look(request.repo_root, paths)
        if number and left is not None:
            left.remove_for(step.folder, steps[number - 1].folder)
        yield step


class _LeftBehind:
    """What isn't tracked in the checkout. ``suites`` are the folders in which something runs."""

    def __init__(self, repository: Repository, places: HeldPlaces, tracked: Tracked, suites: frozenset[str]) -> None:
        self._repository = repository
        self._places = places
        self._tracked = tracked
        self._suites = suites

    def remove_for(self, folder: str, previous: str) -> None:
        """Put back what was there before anything ran, where ``folder`` may load it, and remove what is new there.

        A folder that git ignores stays where it was built above, or by the ``previous`` step in the same folder.
        """
        before = [path for path in self._places.before if self._reaches(path, folder)]
        found = find_untracked(self._repository.root, self._tracked, lambda path: self._is_near(path, folder))
        new = {path for path in found if self._reaches(path, folder)}.difference(before)
        kept = {path for path in new if self._may_be_built(path)}
        if previous != folder:
            kept = {path for path in kept if self._find_owner(path) != folder}
        self._places.restore([*before, *(new - kept)])
        self._places.restore(kept - self._list_ignored(kept))

    def _find_owner(self, path: str) -> str:
        """Find the folder of the suites that a path is in; "" outside of all."""
        while path and path not in self._suites:
            path = path.rpartition("/")[0]
        return path

    def _reaches(self, path: str, folder: str) -> bool:
        owner = self._find_owner(path)
        return owner == folder or not owner or folder.startswith(f"{owner}/")

    def _is_near(self, path: str, folder: str) -> bool:
        return path not in self._suites or self._reaches(path, folder) or folder.startswith(f"{path}/")

    def _may_be_built(self, path: str) -> bool:
        place = self._repository.root / path
        return place.is_dir() and not place.is_symlink() and place.name not in _LOADED

    def _list_ignored(self, paths: Collection[str]) -> set[str]:
        if not paths:
            return set()
        names = b"".join(os.fsencode(path) + b"/\0" for path in sorted(paths))
        found = self._repository.git("check-ignore", "-z", "--stdin", check=False, stdin=names).stdout
        return {os.fsdecode(name).rstrip("/") for name in found.split(b"\0") if name}


def _look(root: Path, paths: Collection[str]) -> _Seen:
    return {path: _describe(f"{root}/{path}") for path in paths}


def _describe(path: str) -> tuple[int, ...] | None:
    try:
        return describe(os.lstat(path))
    except OSError:
        return None
