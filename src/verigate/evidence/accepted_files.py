"""Keep the accepted files of a run where later capabilities can't change them."""

from __future__ import annotations

import shutil
from pathlib import Path, PurePosixPath

_MAX_IN_MEMORY = 4 * 1024 * 1024


class AcceptedFiles:
    """Accepted files by their path among the artifacts: the first 4 MiB in memory, the rest below ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, bytes | Path] = {}
        self._folders: set[str] = set()
        self._room = _MAX_IN_MEMORY

    @property
    def paths(self) -> tuple[str, ...]:
        """The accepted paths, in order of acceptance."""
        return tuple(self._files)

    def keep(self, path: str, content: bytes) -> None:
        """Keep a file whose path isn't taken."""
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
        """Whether the path is that of an accepted file, of one of its folders, or lies below an accepted file."""
        return path in self._files or path in self._folders or any(str(p) in self._files for p in _parents(path))

    def read(self, path: str) -> bytes:
        """Return the content of a file. Raises KeyError if it was not accepted."""
        found = self._files[path]
        return found if isinstance(found, bytes) else found.read_bytes()

    def copy(self, path: str, target: Path) -> None:
        """Write a file to ``target``. Raises OSError if that exists, KeyError if ``path`` was not accepted."""
        found = self._files[path]
        with target.open("xb") as file:
            if isinstance(found, bytes):
                file.write(found)
            else:
                with found.open("rb") as source:
                    shutil.copyfileobj(source, file)


def _parents(path: str) -> tuple[PurePosixPath, ...]:
    return tuple(PurePosixPath(path).parents)
