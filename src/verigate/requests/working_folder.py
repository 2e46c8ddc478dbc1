"""The user's working folder: its files and their types."""

from __future__ import annotations

import os
from collections.abc import Sequence

from verigate.tools.values import unguard_path

MAX_NAMES = 5000
"""Limit of the names in a folder that are compared with a wrong one."""


class WorkingFolder:
    """The files as seen from ``folder``. Read-only."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def _at(self, path: str) -> str:
        return os.path.join(self._folder, path)  # noqa: PTH118 - a name may be anything, and pathlib is slow to load

    def is_folder(self, path: str) -> bool:
        """Whether there is a folder of this name, or a link to one."""
        return os.path.isdir(self._at(path))  # noqa: PTH112 - as above

    def exists(self, path: str) -> bool:
        """Whether there is anything of this name, a broken link among it."""
        return os.path.lexists(self._at(path))

    def names(self, folder: str) -> Sequence[str]:
        """The first names in a folder, in order; none where it can't be listed."""
        try:
            return sorted(os.listdir(self._at(folder)))[:MAX_NAMES]  # noqa: PTH208 - as above
        except OSError:
            return ()

    def files(self, folder: str) -> Sequence[str]:
        """The files in a folder and below it, in order; hidden ones are left out, and links aren't followed."""
        found: list[str] = []
        for place, folders, names in os.walk(self._at(folder)):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            inside = os.path.relpath(place, self._folder)
            found += (os.path.normpath(f"{inside}/{name}") for name in sorted(names) if not name.startswith("."))
            if len(found) > MAX_NAMES:
                return ()
        return found

    def expand(self, pattern: str) -> Sequence[str]:
        """The paths that a pattern matches, in order; a path that is there is its own only match."""
        if self.exists(pattern):
            return (pattern,)
        import glob

        return sorted(glob.glob(unguard_path(pattern), root_dir=self._folder, recursive=True))  # noqa: PTH207 - as above

    def mime_type(self, path: str) -> str | None:
        """The MIME type of a file: a script's by its first line, others' by puremagic; None if it isn't known."""
        whole = self._at(path)
        if not os.path.isfile(whole):  # noqa: PTH113 - as above
            return None
        import puremagic

        from verigate.tools.interpreter import detect_script_type

        try:
            with open(whole, "rb") as file:  # noqa: PTH123 - as above
                script = detect_script_type(file.read(256))
            if script is not None:
                return script
            return str(puremagic.from_file(whole, mime=True)) or None
        except (OSError, ValueError, puremagic.PureError):
            return None
