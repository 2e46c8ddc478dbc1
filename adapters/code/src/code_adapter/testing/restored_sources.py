"""Give each test runner of one call the subject's own files: what ran before may have written over them.

A test of one project could fix the code of another, or leave what its tests load: a ``conftest.py``, bytecode, another
runner in ``node_modules``. What git restores from is held by the SDK: see ``verigate.sdk.subject.held_git``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from code_adapter.detection import Runnable
from code_adapter.held_entries import HeldPlaces, Tracked, find_untracked, hold_places
from verigate.sdk import Request, ToolFailed
from verigate.sdk.subject import FileMarks, Mark, Repository, find_repository, list_index, restore_git

Step = TypeVar("Step", bound=Runnable[Any])
_Seen = Mapping[str, Mark | None]
_LOADED = re.compile(r"\..*|__pycache__|node_modules|.*\.(?:egg|dist)-info")
"""Folders that git ignores as it does what is built, and from which tests load unasked."""

_MOST_ROUNDS = 3
"""What is removed may have stood in the place of what is tracked, so that it is missing then."""


def restore_between(
    request: Request,
    paths: Collection[str],
    steps: Sequence[Step],
    extra: Mapping[str, str] = MappingProxyType({}),
    *,
    links: Sequence[str] | None = None,
) -> Iterator[Step]:
    """Yield each step; before each but a call's first, restore those of ``paths`` (of the index) that were written to.

    What was left behind since is removed. Only in the gate's own checkout: a call by hand
    is in the user's files. ``extra`` selects another index; ``links`` are the index's symbolic links, where the caller
    has listed them. Raises ToolFailed if they can't be restored.
    """
    places = hold_places(request)
    if not request.gated:
        yield from steps
        return
    repository = find_repository(request, extra)
    key = (id(request), extra.get("GIT_INDEX_FILE"))
    has_run = key in _sources
    if not has_run:
        if links is None:
            links = () if repository is None else list_index(repository).links
        _sources[key] = (request, _Sources(request.repo_root, paths, repository, extra, links))
    sources, left = _sources[key][1], None
    if repository is not None and places is not None and (has_run or len(steps) > 1):
        left = _LeftBehind(repository, places, frozenset(step.folder for step in steps))
    for number, step in enumerate(steps):
        for again in range(_MOST_ROUNDS if number or has_run else 0):
            changed = sources.restore()
            if left is None or (again and not changed):
                break
            if again == _MOST_ROUNDS - 1:
                raise ToolFailed(f"tests changed {changed[0]}, which can't be restored before others run")
            has_removed = left.remove_for(step.folder, steps[number - 1].folder if number else None)
            if not changed and not has_removed:
                break
        if number or has_run:
            restore_git(request.repo_root, request.environ)
        yield step


class _Sources:
    """Tracked files and links, as they are before anything runs."""

    def __init__(
        self,
        root: Path,
        paths: Collection[str],
        repository: Repository | None,
        extra: Mapping[str, str],
        links: Sequence[str],
    ) -> None:
        self._root = root
        self._repository = repository
        index = extra.get("GIT_INDEX_FILE")
        self._index = None if index is None else (Path(index), Path(index).read_bytes())
        self._marks = FileMarks.of(root)
        self._paths = [*paths, *(path for path in links if os.path.lexists(root / path))]
        self._seen = self._look_at(self._paths)

    def restore(self) -> list[str]:
        """Check out again what has changed, and return it. Raises ToolFailed."""
        now = self._look_at(self._paths)
        changed = [path for path in self._paths if now[path] != self._seen[path]]
        if not changed:
            return []
        if self._repository is None:
            hint = "put the folder under git, or let no test write over its sources"
            raise ToolFailed(f"tests changed {', '.join(changed[:5])} before others ran", hint=hint)
        if self._index is not None:
            self._index[0].write_bytes(self._index[1])
        names = b"".join(os.fsencode(path) + b"\0" for path in changed)
        self._repository.git("checkout-index", "--force", "-z", "--stdin", stdin=names)
        # Only these: git may have removed a link to a folder in which others seemed to be.
        self._seen = {**self._seen, **self._look_at(changed)}
        return changed

    def _look_at(self, paths: Iterable[str]) -> _Seen:
        return {path: self._read(f"{self._root}/{path}") for path in paths}

    def _read(self, path: str) -> Mark | None:
        try:
            return self._marks.read(path)
        except OSError:
            return None


_sources: dict[tuple[int, str | None], tuple[Request, _Sources]] = {}
"""By call and index: what is restored is what was there before the first of several selections of suites ran."""


class _LeftBehind:
    """What isn't tracked in the checkout. ``suites`` are the folders in which something runs."""

    def __init__(self, repository: Repository, places: HeldPlaces, suites: frozenset[str]) -> None:
        self._repository = repository
        self._places = places
        self._tracked = Tracked.read(list_index(repository).paths)
        self._suites = suites

    def remove_for(self, folder: str, previous: str | None) -> bool:
        """Put back what was there before anything ran, and remove what is new; return whether anything was removed.

        A folder that git ignores stays, unless it is in ``folder`` and not of the ``previous`` step there: others may
        use what was built.
        """
        new = frozenset(find_untracked(self._repository.root, self._tracked)) - self._places.before
        kept = {path for path in new if self._may_be_built(path)}
        if previous != folder:
            kept = {path for path in kept if self._find_owner(path) != folder}
        self._places.restore_home()
        has_removed = self._places.restore(self._places.before | (new - kept))
        if kept:
            has_removed |= self._places.restore(kept - self._list_ignored(kept))
        return has_removed

    def _find_owner(self, path: str) -> str:
        """Find the folder of the suites that a path is in; "" outside of all."""
        while path and path not in self._suites:
            path = path.rpartition("/")[0]
        return path

    def _may_be_built(self, path: str) -> bool:
        place = self._repository.root / path
        return place.is_dir() and not place.is_symlink() and not _LOADED.fullmatch(place.name)

    def _list_ignored(self, paths: Collection[str]) -> set[str]:
        names = b"".join(os.fsencode(path) + b"/\0" for path in sorted(paths))
        found = self._repository.git("check-ignore", "-z", "--stdin", check=False, stdin=names).stdout
        return {os.fsdecode(name).rstrip("/") for name in found.split(b"\0") if name}
