"""Phases 3.5 and 4.5: a run folder is registered as trusted before a program starts, and unregistered after.

Only for engines that declare ``trust_folder``. The file is the user's own: it is read, changed and replaced in one
step under a lock, and keeps its other entries, its comments, its mode, and a link that leads to it. Entries of killed
runs are recognized by their run root, which is no longer held. A file that a run made goes again with the last entry:
the lock's file says so, and goes too where nothing has to be remembered.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from verigate.errors import ExecutionError
from verigate.verifier.lifecycle.run_root import find_owning_root, is_held
from verigate.verifier.lifecycle.trust_editors import EDITORS, Editor
from verigate.verifier.lifecycle.trust_lock import hold_lock
from verigate.verifier.program import Trust

_MAX_BYTES = 16 * 1024 * 1024
RUN_DIR = "{run_dir}"


class TrustRegister:
    """The entries of one program's file. ``environ`` is the caller's."""

    def __init__(self, trust: Trust, environ: Mapping[str, str]) -> None:
        self._trust = trust
        self._editor: Editor = EDITORS[trust.format]
        self.path = _locate_file(trust, environ)

    def register(self, run_dir: str) -> None:
        """Add the entry, and remove those of finished runs. Raises ExecutionError if the file can't be written."""
        self._change(
            lambda content: self._editor.add(self._remove_stale(content), self._fill_keys(run_dir), self._trust.value)
        )

    def unregister(self, run_dir: str) -> None:
        """Remove the entry. Raises ExecutionError if the file can't be written."""
        if self.path.exists():
            self._change(lambda content: self._editor.remove(content, self._fill_keys(run_dir)))

    def examine(self) -> None:
        """Check that an entry could be added; changes nothing. Raises ExecutionError if not."""
        try:
            content = _read(Path(os.path.realpath(self.path))) or ""
            self._editor.add(self._remove_stale(content), self._fill_keys("/run"), self._trust.value)
        except (OSError, ValueError) as problem:
            raise self._to_error(problem) from problem
        place = next(folder for folder in self.path.parents if folder.exists())
        if not os.access(place, os.W_OK):
            raise ExecutionError("the folder can't be written", where=str(place), hint="make it writable")

    def sweep(self) -> None:
        """Remove the entries of finished runs. Raises ExecutionError if the file can't be written."""
        if self.path.exists():
            self._change(self._remove_stale)

    def find_stale(self) -> tuple[str, ...]:
        """Find the entries of finished runs. Raises ExecutionError if the file can't be read."""
        place = self._trust.keys.index(RUN_DIR)
        try:
            content = _read(Path(os.path.realpath(self.path))) or ""
            return tuple(filter(_is_stale, self._editor.members(content, self._trust.keys[:place])))
        except (OSError, ValueError) as problem:
            raise self._to_error(problem) from problem

    def _remove_stale(self, content: str) -> str:
        place = self._trust.keys.index(RUN_DIR)
        for name in self._editor.members(content, self._trust.keys[:place]):
            if _is_stale(name):
                content = self._editor.remove(content, self._fill_keys(name))
        return content

    def _has_runs(self, content: str) -> bool:
        place = self._trust.keys.index(RUN_DIR)
        members = self._editor.members(content, self._trust.keys[:place])
        return any(find_owning_root(name) is not None for name in members)

    def _fill_keys(self, run_dir: str) -> tuple[str, ...]:
        return tuple(run_dir if key == RUN_DIR else key for key in self._trust.keys)

    def _change(self, change: Callable[[str], str]) -> None:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # The user may keep the file elsewhere and a link here.
            target = Path(os.path.realpath(self.path))
            with hold_lock(target) as lock:
                before = _read(target)
                after = change(before or "")
                if before is None and after:
                    lock.note_made()
                gone = lock.is_made and _is_blank(after)
                if gone:
                    target.unlink(missing_ok=True)
                elif after != (before or ""):
                    _replace(target, after)
                if gone or (lock.is_made and not self._has_runs(after)):
                    lock.forget_made()  # else it is the user's now, who wrote more into it
        except (OSError, ValueError) as problem:
            raise self._to_error(problem) from problem

    def _to_error(self, problem: OSError | ValueError) -> ExecutionError:
        why = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        hint = "fix the file, or move it away"
        return ExecutionError(f"the trust of run folders can't be written: {why}", where=str(self.path), hint=hint)


def _locate_file(trust: Trust, environ: Mapping[str, str]) -> Path:
    home = environ.get("HOME") or os.path.expanduser("~")  # noqa: PTH111 - the caller's home comes first
    moved = environ.get(trust.home_variable) if trust.home_variable else None
    if moved:
        return Path(moved) / Path(trust.file).name
    return Path(home) / trust.file.removeprefix("~/")


def _is_stale(name: str) -> bool:
    root = find_owning_root(name)
    return root is not None and not is_held(root)


def _is_blank(content: str) -> bool:
    """Whether a file says nothing: no entry, no comment."""
    return content.strip().replace(" ", "") in {"", "{}"}


def _read(target: Path) -> str | None:
    try:
        descriptor = os.open(target, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError("it is no regular file")
        content = file.read(_MAX_BYTES + 1)
    if len(content) > _MAX_BYTES:
        raise ValueError("it is larger than 16 MiB")
    return content.decode("utf-8")


def _replace(target: Path, text: str) -> None:
    descriptor, part = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".verigate-part", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8"))
            if target.exists():
                os.fchmod(descriptor, stat.S_IMODE(target.stat().st_mode))
            file.flush()
            os.fsync(descriptor)
        Path(part).replace(target)
    except BaseException:
        Path(part).unlink(missing_ok=True)
        raise
