"""Whether a path that somebody is about to write is one of the judges' own files, or a hook of git."""

from __future__ import annotations

import os

from msgspec import Struct

from verigate.subject.policy_files import is_policy_file


class GuardedPaths(Struct, frozen=True):
    """The paths of the repository at ``root``; ``folder`` is where relative ones begin. Both absolute."""

    root: str
    folder: str

    def is_guarded(self, path: str) -> bool:
        """Whether this path is policy, a hook of git or git's own configuration, as written or by its links."""
        if not path or "\0" in path:
            return False
        written = os.path.normpath(os.path.join(self.folder, os.path.expanduser(path)))
        return any(self._is_policy(place) for place in dict.fromkeys((written, os.path.realpath(written))))

    def _is_policy(self, place: str) -> bool:
        tops = dict.fromkeys((self.root, os.path.realpath(self.root)))
        top = next((top for top in tops if place.startswith(f"{top}/")), None)
        if top is None:
            return False
        path = place[len(top) + 1 :]
        if path in {".git/config", ".git/hooks"} or path.startswith(".git/hooks/"):
            return True
        if os.path.isdir(place) and not os.path.islink(place):
            # Something else may be written into the folder.
            return False
        return is_policy_file(
            path, lambda known: os.path.lexists(f"{top}/{known}"), lambda known: os.path.islink(f"{top}/{known}")
        )
