"""A writable checkout for one branch of a run, restored after each adapter."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from verigate.change_times import has_exact_change_times
from verigate.domain.ports import Mount
from verigate.errors import ExecutionError, SubjectError
from verigate.removal import remove
from verigate.subject import snapshot
from verigate.subject.commit_names import CommitNames
from verigate.subject.dependencies import DependencyFolder
from verigate.subject.file_tree import FileTree
from verigate.subject.git import decode_path

REPORTED_AT_MOST = 1000
_GIT = b".git"
_FOLDER_MODE = 0o755


class Clock(Struct, frozen=True):
    """``now`` in nanoseconds since the epoch; ``sleep`` takes seconds."""

    now: Callable[[], int]
    sleep: Callable[[float], None]


class PrivateCheckout:
    """A writable copy of the subject with a ``.git`` and dependency folders of its own.

    The gate never runs git with that ``.git``, since adapters can write to it. Unless ``based``, it has no commit.
    """

    is_written = True

    def __init__(
        self,
        path: str,
        name: str,
        *,
        tree: FileTree,
        folders: Sequence[DependencyFolder],
        mounts: Sequence[Mount],
        clock: Clock,
        shows_reads: bool = False,
        based: bool = True,
    ) -> None:
        self._path = path
        self._place = os.fsencode(path)
        self._name = name
        self._tree = tree
        self._folders = tuple(folders)
        self._mounts = tuple(mounts)
        self._clock = clock
        self._based = based
        self._reads = not has_exact_change_times(path)
        self._shows_reads = shows_reads and not self._reads
        self._ignored = [folder.path for folder in self._folders]
        self._marks: snapshot.Snapshot = {}
        self._identity = (0, 0)
        self._names: CommitNames | None = None
        self._make()

    @property
    def path(self) -> str:
        """Absolute path of the checkout on the machine."""
        return self._path

    @property
    def mounts(self) -> Sequence[Mount]:
        """As in the Checkout port: first the checkout itself over the repository's root, then its dependencies."""
        return self._mounts

    def write(self) -> None:
        """As in the Checkout port: it is written when it is made."""

    def write_git_without_base(self, folder: str) -> bool:
        """As in the Checkout port."""
        return self._tree.write_git(folder, self._name, self._ignored, based=False)

    def took_base(self) -> bool:
        """As in the Checkout port: by the access times of HEAD and the tags."""
        return self._based and (not self._shows_reads or (self._names is not None and self._names.were_read()))

    def settle(self) -> None:
        """Wait, at most some milliseconds, until any later change to a file gets a later change time."""
        snapshot.settle(self._marks, self._clock.now, self._clock.sleep)

    def restore(self) -> tuple[str, ...]:
        """Restore the checkout to its initial state.

        Return what had changed, sorted, at most 1000 paths; folders end in ``/``; dependency folders and ``.git`` are
        restored as well but not reported. Raise ExecutionError if the operating system refuses.
        """
        try:
            changed = self._restore()
        except (OSError, SubjectError) as error:
            raise ExecutionError(
                f"the checkout could not be restored after a capability: {error}",
                where=self._path,
                hint="an escaped process or an immutable file prevents it; run with a sandbox",
            ) from error
        reported = sorted(decode_path(path) for path in changed if self._is_reported(path.rstrip(b"/")))
        return tuple(reported[:REPORTED_AT_MOST])

    def _make(self) -> None:
        os.mkdir(self._place, _FOLDER_MODE)
        info = os.lstat(self._place)
        self._identity = (info.st_dev, info.st_ino)
        self._tree.write(self._path, self._name)
        for folder in self._folders:
            folder.make(self._place)
        self._write_git()
        self._marks = snapshot.take(self._place, contents=self._reads)

    def _restore(self) -> set[bytes]:
        if not self._is_intact():
            remove(self._place)
            self._make()
            self.settle()
            return {b"./"}
        found, changed = self._scan()
        if found == self._marks and not changed and not (self._shows_reads and self.took_base()):
            return set()
        strays = found.keys() - self._marks.keys()
        differing = {path for path, mark in self._marks.items() if found.get(path) != mark}
        changed |= {path + b"/" if snapshot.is_folder(found[path]) else path for path in strays}
        changed |= {path + b"/" if snapshot.is_folder(self._marks[path]) else path for path in differing}
        self._put_back(strays, differing)
        self._marks, before = snapshot.take(self._place, contents=self._reads), self._marks
        self._check_restored(before)
        self.settle()
        return changed

    def _is_intact(self) -> bool:
        try:
            info = os.lstat(self._place)
        except FileNotFoundError:
            return False
        if (info.st_dev, info.st_ino) != self._identity or not stat.S_ISDIR(info.st_mode):
            return False
        os.chmod(self._place, _FOLDER_MODE)
        return True

    def _scan(self) -> tuple[dict[bytes, snapshot.Mark], set[bytes]]:
        # An unreadable folder hides its content, so restore modes first, from the outermost folder inwards.
        changed: set[bytes] = set()
        while True:
            found = snapshot.take(self._place, self._marks, contents=self._reads)
            closed = [
                path
                for path, mark in self._marks.items()
                if snapshot.is_folder(mark)
                and path in found
                and found[path] != mark
                and snapshot.is_folder(found[path])
            ]
            if not closed:
                return found, changed
            for path in closed:
                os.chmod(self._place + b"/" + path, stat.S_IMODE(self._marks[path][0]))
                changed.add(path + b"/")

    def _put_back(self, strays: Iterable[bytes], differing: set[bytes]) -> None:
        for path in sorted({*strays, *differing}):
            remove(self._place + b"/" + path)
            if path in differing and snapshot.is_folder(self._marks[path]):
                os.mkdir(self._place + b"/" + path, _FOLDER_MODE)
                os.chmod(self._place + b"/" + path, stat.S_IMODE(self._marks[path][0]))
        rest = sorted(
            path for path in differing if not snapshot.is_folder(self._marks[path]) and not _is_in(path, _GIT)
        )
        for folder in self._folders:
            folder.put_back(self._place, [path for path in rest if _is_in(path, folder.path)])
            rest = [path for path in rest if not _is_in(path, folder.path)]
        if rest:
            self._tree.put_back(self._path, self._name, rest)
        # Also after a tracked file was written again: the index holds its times.
        remove(self._place + b"/" + _GIT)
        self._write_git()

    def _write_git(self) -> None:
        if self._tree.write_git(f"{self._path}/.git", self._name, self._ignored, based=self._based):
            self._names = CommitNames(self._path, shows_reads=self._shows_reads)

    def _check_restored(self, before: snapshot.Snapshot) -> None:
        wrong = [
            path
            for path in before.keys() | self._marks.keys()
            if self._is_reported(path) and _mode_and_size(before.get(path)) != _mode_and_size(self._marks.get(path))
        ]
        if wrong:
            first = decode_path(min(wrong))
            raise ExecutionError(
                f"{len(wrong)} files of the checkout could not be restored, {first} among them",
                where=self._path,
                hint="a process left behind by a capability still writes; run with a sandbox",
            )

    def _is_reported(self, path: bytes) -> bool:
        return not _is_in(path, _GIT) and not any(_is_in(path, folder.path) for folder in self._folders)


def _is_in(path: bytes, folder: bytes) -> bool:
    return path == folder or path.startswith(folder + b"/")


def _mode_and_size(mark: snapshot.Mark | None) -> tuple[int, int] | None:
    return None if mark is None else (mark[0], mark[2])
