"""Whether a path that somebody is about to write is one of the judges' own files, or a hook of git."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from fnmatch import fnmatch
from itertools import islice

from msgspec import Struct

from verigate.domain.policy_names import TOP_FOLDERS, is_policy_file
from verigate.domain.task_folder import ARTIFACTS_FOLDER, UNVERIFIED_FILE

_MOST = 2000
_LONGEST = 4096
_BRACES = 16
_ANYWHERE = "/**/"
_TOPS = TOP_FOLDERS | {".git", ARTIFACTS_FOLDER}
_CONTENTS = frozenset({"objects", "logs", "lfs", "node_modules"})


class GuardedPaths(Struct, frozen=True):
    """The paths of the repository at ``root``; ``folder`` is where relative ones begin, ``state`` the gate's own folder
    in the user's home, None where there is none. All absolute.
    """

    root: str
    folder: str
    state: str | None = None

    def is_guarded(self, path: str) -> bool:
        """Whether this path is policy, a hook of git, its configuration or a mark of unverified work.

        As written, by its links, and as the shell reads ``*``, ``?``, ``[...]`` and ``{a,b}`` in it.
        """
        return any(map(self._guards, self._list_places(path)))

    def holds_guarded(self, path: str) -> bool:
        """Whether this path is a folder of the repository, or a link to one, in which something is guarded."""
        return any(
            self._guards(found) for place in self._list_places(path) if self._is_below(place) for found in _walk(place)
        )

    def _list_places(self, path: str) -> Iterator[str]:
        if not path or "\0" in path or len(path) > _LONGEST:
            return
        for each in _unfold_braces(path):
            written = os.path.normpath(os.path.join(self.folder, os.path.expanduser(each)))
            yield written
            if _ANYWHERE in written:
                yield from self._list_anywhere(*written.split(_ANYWHERE, 1))
            elif glob.has_magic(written) and self._find_top(_cut_magic(written)) is not None:
                yield from islice(glob.iglob(written, include_hidden=True), _MOST)

    def _list_anywhere(self, above: str, name: str) -> Iterator[str]:
        """List what is called so in the folders below ``above`` in which policy is."""
        for top in dict.fromkeys((self.root, os.path.realpath(self.root))):
            for folder in (f"{top}/{name}" for name in sorted(_TOPS)):
                place = max(folder, above, key=len)
                if f"{place}/".startswith(f"{folder}/") and f"{place}/".startswith(f"{above}/"):
                    yield from (found for found in _walk(place) if fnmatch(found.rpartition("/")[2], name))

    def _is_below(self, place: str) -> bool:
        top = self._find_top(place)
        return top is not None and place[len(top) + 1 :].partition("/")[0] in _TOPS

    def _guards(self, written: str) -> bool:
        return any(self._is_policy(place) for place in dict.fromkeys((written, os.path.realpath(written))))

    def _find_top(self, place: str) -> str | None:
        tops = dict.fromkeys((self.root, os.path.realpath(self.root)))
        return next((top for top in tops if place.startswith(f"{top}/")), None)

    def _is_policy(self, place: str) -> bool:
        if self.state is not None and f"{place}/".startswith(f"{self.state}/"):
            return True
        top = self._find_top(place)
        if top is None:
            return False
        path = place[len(top) + 1 :]
        if path in {".git/config", ".git/hooks"} or path.startswith(".git/hooks/"):
            return True
        if path.startswith(f"{ARTIFACTS_FOLDER}/") and path.endswith(f"/{UNVERIFIED_FILE}"):
            return True
        if os.path.isdir(place) and not os.path.islink(place):
            # Something else may be written into the folder.
            return False
        return is_policy_file(
            path, lambda known: os.path.lexists(f"{top}/{known}"), lambda known: os.path.islink(f"{top}/{known}")
        )


def _walk(place: str) -> Iterator[str]:
    """List the files below a folder, without those of git's store; not through links, and up to a bound."""
    for folder, folders, names in islice(os.walk(place), _MOST):
        folders[:] = sorted(name for name in folders if name not in _CONTENTS)
        yield from (f"{folder}/{name}" for name in (*names, *folders) if name)


def _cut_magic(place: str) -> str:
    """Return a path up to its first part with a ``*``, ``?`` or ``[``, with a slash at its end."""
    parts = place.split("/")
    first = next(index for index, part in enumerate(parts) if glob.has_magic(part))
    return "/".join(parts[:first]) + "/"


def _unfold_braces(path: str) -> Iterator[str]:
    """Unfold ``a/{b,c}``, up to a bound; what has no comma between braces stays as it is."""
    waiting, number = [path], 0
    while waiting and number < _BRACES:
        text = waiting.pop()
        end = text.find("}")
        start = text.rfind("{", 0, end) if end >= 0 else -1
        if start < 0 or "," not in text[start:end]:
            yield text
            number += 1
            continue
        choices = text[start + 1 : end].split(",")
        waiting += [f"{text[:start]}{choice}{text[end + 1 :]}" for choice in choices[:_BRACES]]
