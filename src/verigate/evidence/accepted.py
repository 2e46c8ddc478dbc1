"""What has been accepted from a run's capabilities, out of reach of every later one."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath

_IN_MEMORY = 4 * 1024 * 1024


class Accepted:
    """Accepted files by their path among the artifacts: the first 4 MiB in memory, the rest below ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, bytes | Path] = {}
        self._folders: set[str] = set()
        self._room = _IN_MEMORY

    @property
    def paths(self) -> tuple[str, ...]:
        """What has been accepted, in that order."""
        return tuple(self._files)

    def keep(self, path: str, content: bytes) -> None:
        """Take a file that is not in the way of another."""
        if len(content) <= self._room:
            self._room -= len(content)
            self._files[path] = content
        else:
            self._folder.mkdir(parents=True, exist_ok=True)
            place = self._folder / str(len(self._files))
            place.write_bytes(content)
            self._files[path] = place
        self._folders.update(map(str, PurePosixPath(path).parents))

    def is_taken(self, path: str) -> bool:
        """Whether a file or a folder of one has this path, or a file that of one of its folders."""
        return path in self._files or path in self._folders or any(str(p) in self._files for p in _parents(path))

    def read(self, path: str) -> bytes:
        """The content of a file; KeyError if it was not accepted."""
        found = self._files[path]
        return found if isinstance(found, bytes) else found.read_bytes()

    def copy(self, path: str, target: Path) -> None:
        """Write a file that isn't there yet. Raises OSError if it is, KeyError if ``path`` was not accepted."""
        found = self._files[path]
        with target.open("xb") as file:
            if isinstance(found, bytes):
                file.write(found)
            else:
                with found.open("rb") as source:
                    shutil.copyfileobj(source, file)


def _parents(path: str) -> tuple[PurePosixPath, ...]:
    return tuple(PurePosixPath(path).parents)
