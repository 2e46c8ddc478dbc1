"""Put back what git doesn't track in the gate's checkout and home: packages, and what a test leaves for others to load.

A test could take the place of an installed runner, or plant a ``conftest.py`` or bytecode, for the tests that run after
it. Left alone are what is mounted, which is read-only or a folder that the user has granted, and cargo's ``target``:
building it again would take too long.
"""

from __future__ import annotations

import os
import pwd
import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from verigate.sdk import Request, ToolFailed, path_text
from verigate.sdk.subject import FileMarks, Mark, Repository, is_gates_checkout, remove

MAX_HELD_BYTES = 1 << 20
"""A larger file isn't kept in memory: if it is changed, that is an error."""

_TARGET_OF_CARGO = ".rustc_info.json"
_GIT = ".git"
_CACHES = (
    *(".cache/go-build", ".cargo/git", ".cargo/registry", ".gradle/caches", ".gradle/daemon", ".gradle/jdks"),
    *(
        ".gradle/native",
        ".gradle/wrapper",
        ".konan",
        ".m2/repository",
        ".m2/wrapper",
        ".npm",
        ".nuget",
        ".rustup",
        "go",
    ),
)
"""Folders of the home that stay: what tools have fetched and built would cost too much time again."""

_MOUNTS = Path("/proc/self/mountinfo")
_ESCAPED = re.compile(rb"\\([0-7]{3})")


class Tracked(NamedTuple):
    """The paths of tracked files, links and submodules, and of the folders that they are in."""

    files: frozenset[str]
    folders: frozenset[str]

    @classmethod
    def read(cls, paths: Iterable[str]) -> Tracked:
        """Find the folders of ``paths``."""
        files = frozenset(paths)
        return cls(files, frozenset(_list_above(files)))


class _Held(NamedTuple):
    """A link's text, or a file: its mark and mode, and its content unless it is too large."""

    text: str | None
    seen: Mark
    mode: int
    content: bytes | None


class HeldEntries:
    """Untracked files and folders below ``root``, by their paths from there, as they are when they are held.

    ``closed`` and what is mounted are left alone. Raises ToolFailed for what can't be read.
    """

    def __init__(self, root: Path, entries: Iterable[str], closed: Iterable[str] = ()) -> None:
        self._root = root
        self._marks = FileMarks.of(root)
        self._folders: set[str] = set()
        self._files: dict[str, _Held] = {}
        self._closed = {*closed, *_list_mounts(root)}
        self._leading = _list_above(self._closed)
        try:
            for path in self._walk(entries):
                self._hold(path, self._root / path)
        except OSError as error:
            raise ToolFailed("what is installed can't be read", where=str(error)) from error

    def restore(self, entries: Iterable[str]) -> bool:
        """Remove what is new in ``entries``, and put back what isn't as it was; return whether anything was removed.

        Raises ToolFailed if that can't be done.
        """
        try:
            return self._restore(frozenset(entries))
        except OSError as error:
            raise ToolFailed("what tests left behind can't be removed", where=str(error)) from error

    def _restore(self, entries: frozenset[str]) -> bool:
        has_removed = False
        for path in self._walk(entries):
            place = self._root / path
            status = place.lstat()
            if stat.S_ISDIR(status.st_mode):
                if path not in self._folders and path not in self._closed and path not in self._leading:
                    remove(os.fsencode(place))
                    has_removed = True
                elif path not in self._closed and status.st_mode & stat.S_IRWXU != stat.S_IRWXU:
                    place.chmod(status.st_mode | stat.S_IRWXU)
            elif path not in self._closed and not self._is_as_held(path, status):
                remove(os.fsencode(place))
                has_removed = True
        for path in sorted(self._folders):
            if _is_in(path, entries) and not _is_folder(self._root / path):
                (self._root / path).mkdir(parents=True)
        for path in self._files:
            if _is_in(path, entries) and not os.path.lexists(self._root / path):
                self._write(path)
        return has_removed

    def _walk(self, entries: Iterable[str]) -> Iterator[str]:
        """Yield the entries that are there, and what is in them, each folder before that. Links aren't followed.

        What was removed, or is left alone, meanwhile isn't entered.
        """
        waiting = [entry for entry in entries if os.path.lexists(self._root / entry)]
        while waiting:
            path = waiting.pop()
            if not os.path.lexists(self._root / path):
                continue
            yield path
            if path not in self._closed and _is_folder(self._root / path):
                waiting += [f"{path}/{name}" for name, _ in _list(self._root / path)]

    def _hold(self, path: str, place: Path) -> None:
        status = place.lstat()
        if stat.S_ISDIR(status.st_mode):
            self._folders.add(path)
            if not os.access(place, os.W_OK) or (place / _TARGET_OF_CARGO).is_file():
                self._closed.add(path)
        elif stat.S_ISLNK(status.st_mode):
            self._files[path] = _Held(str(place.readlink()), (), status.st_mode, None)
        elif path not in self._closed:
            kept = stat.S_ISREG(status.st_mode) and status.st_size <= MAX_HELD_BYTES and os.access(place, os.R_OK)
            self._files[path] = _Held(
                None, self._marks.read(place, status), status.st_mode, place.read_bytes() if kept else None
            )

    def _is_as_held(self, path: str, status: os.stat_result) -> bool:
        held = self._files.get(path)
        if held is None or held.text is None:
            return held is not None and self._marks.read(self._root / path, status) == held.seen
        return stat.S_ISLNK(status.st_mode) and str((self._root / path).readlink()) == held.text

    def _write(self, path: str) -> None:
        held, place = self._files[path], self._root / path
        # A folder of tracked files may be gone, too, which git restores.
        place.parent.mkdir(parents=True, exist_ok=True)
        if held.text is not None:
            place.symlink_to(held.text)
        elif held.content is None:
            raise ToolFailed("tests changed a large file that git doesn't track", where=path_text(path))
        else:
            place.write_bytes(held.content)
            place.chmod(stat.S_IMODE(held.mode))
            self._hold(path, place)


class HeldPlaces:
    """What isn't tracked in the gate's checkout, and its private home, before anything of the project ran."""

    def __init__(self, repository: Repository, home: Path | None) -> None:
        self.before = list_untracked(repository)
        self._entries = HeldEntries(repository.root, self.before)
        self._home = home
        self._of_home = None if home is None else HeldEntries(home, _list_names(home), _CACHES)

    def restore(self, entries: Iterable[str]) -> bool:
        """Put back these entries of the checkout: what is new in them is removed. Returns and raises as HeldEntries."""
        return self._entries.restore(entries)

    def restore_home(self) -> None:
        """Put back the home but for caches. Raises ToolFailed."""
        if self._home is not None and self._of_home is not None:
            self._of_home.restore(_list_names(self._home))


_places: dict[Path, HeldPlaces] = {}


def hold_places(request: Request) -> HeldPlaces | None:
    """Hold what isn't tracked, the first time; call it before anything of the project runs.

    None outside the gate's own checkout, whose files alone may be removed.
    """
    root = request.repo_root
    if not is_gates_checkout(root, request.environ):
        return None
    if root not in _places:
        _places[root] = HeldPlaces(Repository(root, request.environ), _find_private_home(request))
    return _places[root]


def _find_private_home(request: Request) -> Path | None:
    home = request.environ.get("HOME")
    try:
        users = pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:  # a user without an account, as in many containers
        users = "/"
    return Path(home) if home and os.path.realpath(home) not in {os.path.realpath(users), "/"} else None


def list_untracked(repository: Repository) -> frozenset[str]:
    """List what the index doesn't have, ignored or not, each folder without what is in it."""
    listed = repository.entries("ls-files", "--others", "--directory", "-z")
    return frozenset(os.fsdecode(path).rstrip("/") for path in listed)


def find_untracked(root: Path, tracked: Tracked) -> Iterator[str]:
    """Yield what isn't tracked, each folder without what is in it.

    Raises ToolFailed for a folder that can't be read.
    """
    waiting = [""]
    while waiting:
        here = waiting.pop()
        try:
            found = _list(root / here)
        except OSError as error:
            raise ToolFailed("a folder of the checkout can't be read any more", where=path_text(here)) from error
        for name, is_folder in found:
            path = f"{here}/{name}" if here else name
            if path == _GIT:
                continue
            if is_folder and path in tracked.folders:
                waiting.append(path)
            elif path not in tracked.files:
                yield path


def _list_above(paths: Iterable[str]) -> set[str]:
    folders = set[str]()
    for path in paths:
        above = path.rpartition("/")[0]
        while above and above not in folders:
            folders.add(above)
            above = above.rpartition("/")[0]
    return folders


def _is_in(path: str, entries: frozenset[str]) -> bool:
    while path:
        if path in entries:
            return True
        path = path.rpartition("/")[0]
    return False


def _list_mounts(root: Path) -> Iterator[str]:
    """Yield what is mounted below ``root``, relative to it: proc_pid_mountinfo(5). Raises ToolFailed without /proc."""
    try:
        lines = _MOUNTS.read_bytes().splitlines()
    except OSError as error:
        raise ToolFailed("what is mounted can't be read", where=str(error)) from error
    start = os.fsencode(os.path.realpath(root)) + b"/"
    for line in lines:
        target = _ESCAPED.sub(lambda found: bytes([int(found[1], 8)]), line.split(b" ")[4])
        if target.startswith(start):
            yield os.fsdecode(target.removeprefix(start))


def _is_folder(place: Path) -> bool:
    try:
        return stat.S_ISDIR(place.lstat().st_mode)
    except FileNotFoundError:
        return False


def _list(folder: Path) -> list[tuple[str, bool]]:
    try:
        with os.scandir(folder) as found:
            return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]
    except FileNotFoundError:
        return []


def _list_names(folder: Path) -> list[str]:
    return [name for name, _ in _list(folder)]
