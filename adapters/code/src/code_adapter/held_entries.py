"""Put back what git doesn't track in the gate's checkout and home: packages, and what a test leaves for others to load.

A test could take the place of an installed runner, or plant a ``conftest.py`` or bytecode, for the tests that run after
it. Cargo's ``target`` is left alone: building it again would take too long, and its content is the user's in any case.
"""

from __future__ import annotations

import os
import pwd
import shutil
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from verigate.sdk import Request, ToolFailed, path_text
from verigate.sdk.subject import Repository, is_gates_checkout

MAX_HELD_BYTES = 1 << 20
"""A larger file isn't kept in memory: if it is changed, that is an error."""

_TARGET_OF_CARGO = ".rustc_info.json"
_OWN = frozenset({".git", ".artifacts"})


_CACHES = (
    *(
        ".cache/go-build",
        ".cargo/git",
        ".cargo/registry",
        ".gradle/caches",
        ".gradle/daemon",
        ".gradle/jdks",
        ".gradle/native",
    ),
    *(".gradle/wrapper", ".konan", ".m2/repository", ".m2/wrapper", ".npm", ".nuget", ".rustup", "go"),
)
"""Folders of the home that stay: what tools have fetched and built would cost too much time again."""


class Tracked(NamedTuple):
    """The paths of tracked files, and of the folders that they are in."""

    files: frozenset[str]
    folders: frozenset[str]

    @classmethod
    def read(cls, paths: Iterable[str]) -> Tracked:
        """Find the folders of ``paths``."""
        files, folders = frozenset(paths), set[str]()
        for path in files:
            above = path.rpartition("/")[0]
            while above and above not in folders:
                folders.add(above)
                above = above.rpartition("/")[0]
        return cls(files, frozenset(folders))


class _Held(NamedTuple):
    """A link's text, or a file: what ``lstat`` says of it, and its content unless it is too large."""

    text: str | None
    seen: tuple[int, ...]
    content: bytes | None


class HeldEntries:
    """Untracked files and folders below ``root``, by their paths from there, as they are when they are held."""

    def __init__(self, root: Path, entries: Iterable[str], closed: Iterable[str] = ()) -> None:
        self._root = root
        self._folders: set[str] = set()
        self._files: dict[str, _Held] = {}
        self._closed: set[str] = set(closed)
        self._leading = Tracked.read(closed).folders
        for path in self._walk(entries):
            if (root / path).is_dir() and self._is_left_alone(root / path):
                self._closed.add(path)
            self._hold(path)

    def restore(self, entries: Iterable[str]) -> None:
        """Remove what is new in ``entries``, and put back what isn't as it was. Raises ToolFailed if it can't be."""
        entries = [*entries]
        try:
            self._restore(entries)
        except OSError as error:
            raise ToolFailed("tests changed what is installed, and it can't be put back", where=str(error)) from error

    def _restore(self, entries: list[str]) -> None:
        starts = tuple(f"{entry}/" for entry in entries)
        ours = {path for path in (*self._folders, *self._files) if path in entries or path.startswith(starts)}
        for path in self._walk(entries):
            place = self._root / path
            is_folder = place.is_dir() and not place.is_symlink()
            if not (self._is_wanted(path) if is_folder else self._is_as_held(path)):
                _remove(place)
            elif is_folder and path not in self._closed:
                place.chmod(place.stat().st_mode | stat.S_IRWXU)
        for path in sorted(ours):
            place = self._root / path
            if path in self._folders:
                place.mkdir(parents=True, exist_ok=True)
            elif not os.path.lexists(place):
                self._write(path)

    def _walk(self, entries: Iterable[str]) -> Iterator[str]:
        """Yield the entries that are there, and what is in them, each folder before that. Links aren't followed.

        What was removed, or is left alone, meanwhile isn't entered.
        """
        waiting = [entry for entry in entries if os.path.lexists(self._root / entry)]
        while waiting:
            path = waiting.pop()
            yield path
            place = self._root / path
            if path not in self._closed and place.is_dir() and not place.is_symlink():
                waiting += [f"{path}/{name}" for name, _ in _list(place)]

    def _is_left_alone(self, place: Path) -> bool:
        """Whether it is cargo's, or mounted here to be read."""
        return not os.access(place, os.W_OK) or (place / _TARGET_OF_CARGO).is_file()

    def _hold(self, path: str) -> None:
        place = self._root / path
        status = place.lstat()
        if stat.S_ISDIR(status.st_mode):
            self._folders.add(path)
        elif stat.S_ISLNK(status.st_mode):
            self._files[path] = _Held(str(place.readlink()), (), None)
        else:
            kept = stat.S_ISREG(status.st_mode) and status.st_size <= MAX_HELD_BYTES and os.access(place, os.R_OK)
            self._files[path] = _Held(None, describe(status), place.read_bytes() if kept else None)

    def _is_wanted(self, folder: str) -> bool:
        """Whether a folder was there, or leads to what is left alone."""
        return folder in self._folders or folder in self._closed or folder in self._leading

    def _is_as_held(self, path: str) -> bool:
        held, place = self._files.get(path), self._root / path
        if held is None:
            return False
        if held.text is not None:
            return place.is_symlink() and str(place.readlink()) == held.text
        return not place.is_symlink() and describe(place.lstat()) == held.seen

    def _write(self, path: str) -> None:
        held, place = self._files[path], self._root / path
        if held.text is not None:
            place.symlink_to(held.text)
        elif held.content is None:
            raise ToolFailed("tests changed a large file that git doesn't track", where=path_text(path))
        else:
            place.write_bytes(held.content)
            place.chmod(stat.S_IMODE(held.seen[0]))
            self._hold(path)


class HeldPlaces:
    """What isn't tracked in the gate's checkout, and its private home, before anything of the project ran."""

    def __init__(self, repository: Repository, home: Path | None) -> None:
        listed = repository.entries("ls-files", "--others", "--directory", "-z")
        self.before = frozenset(os.fsdecode(path).rstrip("/") for path in listed)
        self._entries = HeldEntries(repository.root, self.before)
        self._home = home
        self._of_home = None if home is None else HeldEntries(home, _list_names(home), _CACHES)

    def restore(self, entries: Iterable[str]) -> None:
        """Put back the home, and these entries of the checkout: what is new in them is removed. Raises ToolFailed."""
        self._entries.restore(entries)
        if self._home is not None and self._of_home is not None:
            self._of_home.restore(_list_names(self._home))


def hold_places(request: Request) -> HeldPlaces | None:
    """Hold what isn't tracked, the first time; call it before anything of the project runs.

    None outside the gate's own checkout, whose files alone may be removed.
    """
    return _hold_places(Repository(request.repo_root, request.environ)) if _is_gates(request) else None


_places: dict[Path, HeldPlaces] = {}


def _hold_places(repository: Repository) -> HeldPlaces:
    if repository.root not in _places:
        home = repository.environ.get("HOME")
        private = home and os.path.realpath(home) != os.path.realpath(pwd.getpwuid(os.getuid()).pw_dir)
        _places[repository.root] = HeldPlaces(repository, Path(home) if home and private else None)
    return _places[repository.root]


def _is_gates(request: Request) -> bool:
    return is_gates_checkout(request.repo_root, request.environ)


def find_untracked(root: Path, tracked: Tracked, enters: Callable[[str], bool]) -> Iterator[str]:
    """Yield what isn't tracked, each folder without what is in it. Of tracked folders those that it ``enters``."""
    waiting = [""]
    while waiting:
        here = waiting.pop()
        for name, is_folder in _list(root / here):
            path = f"{here}/{name}" if here else name
            if path in _OWN:
                continue
            if is_folder and path in tracked.folders:
                waiting += [path] if enters(path) else []
            elif path not in tracked.files:
                yield path


def describe(status: os.stat_result) -> tuple[int, ...]:
    """Mode, size, times and place of a file; the time of its last change (ctime) is the kernel's alone."""
    return (status.st_mode, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def _list(folder: Path) -> list[tuple[str, bool]]:
    try:
        with os.scandir(folder) as found:
            return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]
    except FileNotFoundError:
        return []


def _list_names(folder: Path) -> list[str]:
    return [name for name, _ in _list(folder)]


def _remove(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
