"""Describe the tools of a call by content: the program, its interpreter, and the folder that it is installed in.

What a package manager of the system has installed is described by its database: programs below ``/usr`` need libraries
that no name lists. A tool that can't be described is an error; the call stays on this machine then.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from functools import cache

_DATABASES = (
    "/var/lib/dpkg/status",
    "/lib/apk/db/installed",
    "/usr/lib/sysimage/rpm/rpmdb.sqlite",
    "/var/lib/rpm/rpmdb.sqlite",
)
_SYSTEM = frozenset({"/", "/usr"})
_MOST_FILES = 100_000
_MOST_BYTES = 2 * 1024**3
_LONGEST_LINE = 256
_MOST_INTERPRETERS = 4
_LEFT_OUT = frozenset({"__pycache__", ".git", ".cache"})


class UnknownToolError(ValueError):
    """A tool whose content can't be described."""


def describe_tools(found: Mapping[str, str], search_path: str) -> dict[str, str]:
    """Return the SHA-256 of each tool with all that it is installed with, by name; ``found`` has their paths.

    ``search_path`` is the caller's PATH, for interpreters that ``env`` starts. Raises UnknownToolError, OSError.
    """
    return {name: _describe_tool(path, search_path) for name, path in sorted(found.items())}


@cache
def digest_system() -> str:
    """Digest the databases of the system's package managers. Raises UnknownToolError where there is none."""
    found = [path for path in _DATABASES if os.path.isfile(path)]  # noqa: PTH113 - as text: there may be 100,000 files
    if not found:
        raise UnknownToolError("no database of a package manager says what the system has")
    return _combine(_digest_file(path) for path in found)


def forget_tools() -> None:
    """Forget what was digested before: tools may be replaced while a process lives."""
    for each in (digest_system, _describe_tool, _digest_folder):
        each.cache_clear()


@cache
def _describe_tool(path: str, search_path: str) -> str:
    parts: list[str] = []
    for program in _list_programs(path, search_path):
        real = os.path.realpath(program)
        parts += [os.path.basename(real), _digest_file(real)]  # noqa: PTH119 - as text: there may be 100,000 files
        parts += [_digest_folder(folder) for folder in _list_folders(program, real)]
    return _combine(parts)


def _list_programs(path: str, search_path: str) -> Iterator[str]:
    """Yield a program and its interpreters."""
    for _ in range(_MOST_INTERPRETERS):
        yield path
        with open(path, "rb") as file:  # noqa: PTH123 - as text: there may be 100,000 files
            line = file.readline(_LONGEST_LINE)
        if not line.startswith(b"#!"):
            return
        words = line[2:].decode("utf-8", "replace").split()
        if not words:
            return
        if os.path.basename(words[0]) == "env":  # noqa: PTH119 - as text: there may be 100,000 files
            yield words[0]
            names = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
            located = shutil.which(names[0], path=search_path) if names else None
            if located is None:
                raise UnknownToolError(f"the interpreter of {path} isn't on PATH")
            path = located
        else:
            path = words[0]
    raise UnknownToolError(f"{path} has interpreters of interpreters")


def _list_folders(program: str, real: str) -> Iterator[str]:
    """Yield the folders that a program is installed in, but the system's."""
    above = os.path.dirname(os.path.dirname(program))  # noqa: PTH120 - as text: there may be 100,000 files
    if os.path.exists(f"{above}/pyvenv.cfg"):  # noqa: PTH110 - as text: there may be 100,000 files
        yield above
    head, mark, _ = real.partition("/node_modules/")
    if mark:
        yield f"{head}/node_modules"
        return
    folder, name = os.path.split(os.path.dirname(real))  # noqa: PTH120 - as text: there may be 100,000 files
    own = folder or "/" if name in {"bin", "sbin"} else f"{folder}/{name}"
    if own in _SYSTEM or own.startswith(("/usr/lib/", "/usr/share/", "/lib/", "/etc/")):
        digest_system()
    else:
        yield own


@cache
def _digest_folder(folder: str) -> str:
    parts: list[str] = []
    files, size = 0, 0
    for place, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT)
        links = [name for name in folders if os.path.islink(f"{place}/{name}")]  # noqa: PTH114 - as text: there may be 100,000 files
        for name in sorted([*names, *links]):
            path = f"{place}/{name}"
            status = os.lstat(path)
            files, size = files + 1, size + status.st_size
            if files > _MOST_FILES or size > _MOST_BYTES:
                raise UnknownToolError(f"{folder} has more than {_MOST_FILES} files, or {_MOST_BYTES >> 30} GiB")
            parts.append(path[len(folder) :])
            if stat.S_ISLNK(status.st_mode):
                parts.append(f"link {os.readlink(path)}")  # noqa: PTH115 - as text: there may be 100,000 files
            elif stat.S_ISREG(status.st_mode):
                parts.append(f"{status.st_mode & 0o111:o} {_digest_file(path)}")
    return _combine(parts)


def _digest_file(path: str) -> str:
    with open(path, "rb") as file:  # noqa: PTH123 - as text: there may be 100,000 files
        return hashlib.file_digest(file, "sha256").hexdigest()


def _combine(parts: Iterator[str] | list[str]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        encoded = part.encode("utf-8", "surrogateescape")
        digest.update(b"%d:%s" % (len(encoded), encoded))
    return digest.hexdigest()


def _raise(error: OSError) -> None:
    raise error
