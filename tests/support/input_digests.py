"""Digests of what the result of a test module depends on: this checkout's files, and the machine they are tested on."""

from __future__ import annotations

import hashlib
import os
import platform
import stat
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

VOLATILE = frozenset({"COLUMNS", "LINES", "OLDPWD", "PWD", "PYTEST_CURRENT_TEST", "SHLVL", "TMPDIR", "WINDOWID", "_"})
"""Variables that differ from one shell to the next. Any other variable may decide a test."""

PAGES = ("*.md", ".agents/**/*.md", "docs/**/*.md")
TEST_MODULES = ("tests/**/test_*.py", "adapters/*/tests/**/test_*.py")
MATERIAL = ("tests/corpus/**", "tests/support/**")
"""Folders of files that tests read, whatever the files are called."""

_MACHINE_FILES = ("/var/lib/dpkg/status", "/etc/gitconfig", "~/.gitconfig", "~/.config/git/config")


@dataclass(frozen=True)
class Inputs:
    """``shared`` is about every file but the pages and the test modules. ``groups`` has a digest for each of those
    two, and ``modules`` one for each test module.
    """

    machine: str
    shared: str
    groups: Mapping[str, str]
    modules: Mapping[str, str]
    in_groups: frozenset[str] = frozenset()

    def key(self, module: str, groups: Iterable[str]) -> str | None:
        """Return the digest of all that ``module`` depends on if it reads ``groups``; None for an unknown module."""
        if module not in self.modules:
            return None
        read = sorted((group, self.groups[group]) for group in groups)
        return _digest(self.machine, self.shared, module, self.modules[module], *map(repr, read))


def read_inputs(root: Path) -> Inputs:
    """Read the files that git tracks or would add, and describe the machine. Raises subprocess.CalledProcessError."""
    files = _file_digests(root)
    by_group: dict[str | None, dict[str, str]] = {"pages": {}, "tests": {}, None: {}}
    for name, digest in files.items():
        by_group[group_of(name)][name] = digest
    return Inputs(
        machine=_describe_machine(),
        shared=_digest(*_flat(by_group[None])),
        groups={group: _digest(*_flat(found)) for group, found in by_group.items() if group is not None},
        modules=by_group["tests"],
        in_groups=frozenset(by_group["tests"].keys() | by_group["pages"].keys()),
    )


def group_of(name: str) -> str | None:
    """Return ``pages`` or ``tests``: files that most test modules don't read. None is for all others."""
    if _matches(name, MATERIAL):
        return None
    if _matches(name, TEST_MODULES):
        return "tests"
    return "pages" if _matches(name, PAGES) else None


def _matches(name: str, patterns: Iterable[str]) -> bool:
    """Like a path of .gitignore: ``*`` is within one folder, ``**/`` is any number of folders."""
    return any(_matches_parts(name.split("/"), pattern.split("/")) for pattern in patterns)


def _matches_parts(parts: list[str], pattern: list[str]) -> bool:
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_matches_parts(parts[start:], pattern[1:] or ["*"]) for start in range(len(parts)))
    return bool(parts) and fnmatch(parts[0], pattern[0]) and _matches_parts(parts[1:], pattern[1:])


def _file_digests(root: Path) -> dict[str, str]:
    found = {}
    for state, selection in (("tracked", "--cached"), ("new", "--others")):
        argv = ("git", "-c", "core.fsmonitor=false", "ls-files", "-z", selection, "--exclude-standard")
        listed = subprocess.run(argv, cwd=root, check=True, capture_output=True).stdout
        for name in filter(None, listed.split(b"\0")):
            found[os.fsdecode(name)] = _digest(state, *_describe_file(root / os.fsdecode(name)))
    return found


def _describe_file(path: Path) -> Iterator[str]:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        yield "gone"
        return
    yield f"{mode:o}"
    if stat.S_ISLNK(mode):
        yield os.fsdecode(path.readlink())
    elif stat.S_ISREG(mode):
        yield hashlib.sha256(path.read_bytes()).hexdigest()


def _describe_machine() -> str:
    """The interpreter and its packages, programs on PATH and Debian's packages, the user's git, and variables."""
    variables = sorted(item for item in os.environ.items() if item[0] not in VOLATILE)
    parts = [sys.version, sys.prefix, repr(platform.uname()), str(os.geteuid()), repr(variables)]
    for name in _MACHINE_FILES:
        path = Path(name).expanduser()
        parts.append(hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "")
    parts += _stamps(sys.prefix)
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        parts += _stamps(folder, recursive=False)
    return _digest(*parts)


def _stamps(top: str, *, recursive: bool = True) -> list[str]:
    """Name, size and time of each file; what a link leads to counts. Bytecode is made from the others."""
    found = []
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if recursive and name != "__pycache__"]
        for name in names:
            path = os.path.join(folder, name)  # noqa: PTH118 - ten thousand of them
            try:
                status = os.stat(path)  # noqa: PTH116 - likewise
            except OSError:
                found.append(f"{path} broken")
                continue
            found.append(f"{path} {status.st_size} {status.st_mtime_ns} {status.st_mode:o}")
    return sorted(found)


def _flat(files: Mapping[str, str]) -> list[str]:
    return [text for item in sorted(files.items()) for text in item]


def _digest(*parts: str) -> str:
    return hashlib.sha256(b"\0".join(part.encode("utf-8", "surrogateescape") for part in parts)).hexdigest()
