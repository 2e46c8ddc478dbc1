"""Keep what runs in the gate's checkout from choosing what git answers: its git folder is as git itself left it.

A test can write to the checkout's ``.git``: an object whose content isn't what its name says, an index, a filter.
Before each call of git the folder is put back as it was after the call before. The first call must precede all that
isn't trusted. A repository of a user is never touched: only a folder as the gate writes them is held.

Until this process starts anything but git, nobody else can write there, and the folder isn't read: the index of a large
repository has megabytes. An audit hook (PEP 578) reports each start, however it is made, before it happens.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from verigate.removal import remove
from verigate.sdk.errors import ToolFailed
from verigate.sdk.subject.file_marks import FileMarks, Mark

if TYPE_CHECKING:
    from verigate.sdk.tools import ToolRun

_ALTERNATES = "objects/info/alternates"
_OF_USERS = ("logs", "description", "objects/pack")
"""What ``git init`` and daily use leave in a git folder, and the gate doesn't."""

MAX_HELD_BYTES = 256 << 20
"""A larger file isn't kept in memory: if it is changed, that is an error."""


class _Held(NamedTuple):
    """A file: its mark, mode, times in nanoseconds, and its content unless it is too large."""

    seen: Mark
    mode: int
    times: tuple[int, int]
    content: bytes | None


class HeldGit:
    """The files of one git folder, as the last call of git left them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._marks = FileMarks.of(folder)
        self._files: dict[str, _Held] = {}
        self._folders: set[str] = set()
        self.answers: dict[tuple[object, ...], ToolRun] = {}
        """Of what stays as it is while the folder is held, by what git was asked."""

    def hold(self) -> None:
        """Read what differs from what is held: this is how the folder is to be from now on. Raises ToolFailed."""
        try:
            self._read()
        except OSError as error:
            raise ToolFailed("the checkout's git folder can't be read", where=str(error)) from error

    def _read(self) -> None:
        before, self._files, self._folders = self._files, {}, set()
        for path, status in _walk(self._folder):
            if stat.S_ISDIR(status.st_mode):
                self._folders.add(path)
                continue
            seen = self._marks.read(self._folder / path, status)
            held = before.get(path)
            if held is None or held.seen != seen:
                too_large = status.st_size > MAX_HELD_BYTES or not stat.S_ISREG(status.st_mode)
                content = None if too_large else (self._folder / path).read_bytes()
                held = _Held(seen, status.st_mode, (status.st_atime_ns, status.st_mtime_ns), content)
            self._files[path] = held

    def restore(self) -> None:
        """Put the folder back as it is held. Raises ToolFailed if that can't be done."""
        try:
            self._restore()
        except OSError as error:
            raise ToolFailed(
                "the checkout's git folder was changed, and can't be restored", where=str(error)
            ) from error

    def _restore(self) -> None:
        if self._folder.is_symlink() or not self._folder.is_dir():
            remove(os.fsencode(self._folder))
            self._folder.mkdir()
        found = dict(_walk(self._folder))
        for path, status in found.items():
            is_folder = stat.S_ISDIR(status.st_mode)
            if path not in (self._folders if is_folder else self._files):
                remove(os.fsencode(self._folder / path))
        for path in sorted(self._folders):
            place = self._folder / path
            if path not in found or not place.is_dir():
                place.mkdir()
        for path, held in self._files.items():
            if path not in found or self._marks.read(self._folder / path, found[path]) != held.seen:
                self._files[path] = self._write(path, held)

    def _write(self, path: str, held: _Held) -> _Held:
        if held.content is None:
            raise ToolFailed("a large file of the checkout's git folder was changed", where=path)
        place = self._folder / path
        remove(os.fsencode(place))
        place.write_bytes(held.content)
        # Git compares the index's own time with those of the files in it.
        os.utime(place, ns=held.times)
        place.chmod(stat.S_IMODE(held.mode))
        return held._replace(seen=self._marks.read(place))


_held: dict[str, HeldGit] = {}

_STARTS = frozenset(
    {"subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn"}
)
"""Events of the audit hook: a process starts. See "Audit events table" of the Python documentation."""

_starts_git: ContextVar[bool] = ContextVar("starts_git", default=False)


class _Starts:
    """Whether this process has started a program other than git."""

    seen = False


def _note_start(event: str, _: object) -> None:
    if event in _STARTS and not _Starts.seen and not _starts_git.get():
        for held in _held.values():
            held.hold()
        _Starts.seen = True


sys.addaudithook(_note_start)


@contextmanager
def hold_git(root: Path, environ: Mapping[str, str]) -> Iterator[None]:
    """Run git, and nothing else, within this: before it the folder is restored, after it what git made of it is held.

    ``environ`` is that of the call. Does nothing but in the gate's own checkout, and there only once this process has
    started another program. Raises ToolFailed if a change can't be undone.
    """
    held = _find(root, environ)
    if held is not None and _Starts.seen:
        held.restore()
    token = _starts_git.set(True)
    try:
        yield
    finally:
        _starts_git.reset(token)
    if held is not None and _Starts.seen:
        held.hold()


def restore_git(root: Path, environ: Mapping[str, str]) -> None:
    """Put the folder back before something else runs, whose own calls of git would obey it. Raises ToolFailed.

    Does nothing but in the gate's own checkout, and there only once this process has started a program.
    """
    held = _find(root, environ)
    if held is not None and _Starts.seen:
        held.restore()


def accept_git(root: Path, environ: Mapping[str, str]) -> None:
    """Hold the folder as it is now, after the caller has written to it itself."""
    held = _find(root, environ)
    if held is not None:
        held.answers.clear()
        if _Starts.seen:
            held.hold()


def known_answers(root: Path, environ: Mapping[str, str]) -> dict[tuple[object, ...], ToolRun] | None:
    """Return what git was asked of the gate's own git folder of this call; None of a user's, which may change."""
    held = _find(root, environ)
    return None if held is None else held.answers


def is_gates_checkout(root: Path, environ: Mapping[str, str]) -> bool:
    """Whether the git folder of this call is the gate's own."""
    return _find(root, environ) is not None


def _find(root: Path, environ: Mapping[str, str]) -> HeldGit | None:
    if not environ.get("GATE_REPO_ROOT"):
        return None
    folder = environ.get("GATE_GIT_DIR") or f"{root}/.git"
    if folder not in _held:
        if not _is_written_by_gate(folder):
            return None
        held = HeldGit(Path(folder))
        if _Starts.seen:
            held.hold()
        _held[folder] = held
    return _held[folder]


def _is_written_by_gate(folder: str) -> bool:
    path = Path(folder)
    users = any(os.path.lexists(path / name) for name in _OF_USERS)
    return not path.is_symlink() and (path / _ALTERNATES).is_file() and not users


def _walk(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Yield what is in the folder, relative to it, each folder before what is in it. Links aren't followed."""
    waiting = [""]
    while waiting:
        start = waiting.pop()
        with os.scandir(folder / start) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                yield f"{start}{entry.name}", status
                if stat.S_ISDIR(status.st_mode):
                    waiting.append(f"{start}{entry.name}/")
