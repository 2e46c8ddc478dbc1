"""Files that installing a Python project generated in the user's tree, next to its modules, and that git ignores.

A project that is installed in place imports them: the version file of a version plugin, compiled modules, the metadata
of ``setup.py develop``. They belong to the project's environment, and are copied into checkouts as that is mounted.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct

_MARKERS = frozenset({b"pyproject.toml", b"setup.py", b"setup.cfg"})
_ENDS = tuple(_MARKERS)
_COMPILED = re.compile(rb".+\.so")
_VERSION = re.compile(rb"\w*(?:version|about|scm)\w*\.pyi?", re.IGNORECASE)
_METADATA = re.compile(rb"\w[\w.-]*\.egg-info")
_NATIVE = re.compile(
    r".+\.(?:c|cc|cpp|cxx|h|hh|hpp|pyx|pxd|pxi|rs|f|f90|f95|go|zig|s)|(?:.*/)?(?:Cargo\.toml|meson\.build)"
)
_MOST_FILES = 2000
_MOST_BYTES = 512 * 1024 * 1024


class GeneratedFile(Struct, frozen=True):
    """One generated file. ``path`` is relative to the root, ``source`` absolute."""

    path: bytes
    source: bytes

    def make(self, checkout: bytes) -> None:
        """Copy it into a checkout, unless it is gone or something stands there."""
        target = checkout + b"/" + self.path
        try:
            with open(self.source, "rb") as original:
                os.makedirs(os.path.dirname(target), 0o755, exist_ok=True)
                with open(target, "xb") as copy:
                    os.sendfile(copy.fileno(), original.fileno(), 0, os.fstat(original.fileno()).st_size)
        except (FileNotFoundError, FileExistsError):
            return

    def put_back(self, checkout: bytes, paths: Sequence[bytes]) -> None:
        """Copy it again if it is among ``paths`` (relative to the checkout, where nothing exists)."""
        if self.path in paths:
            self.make(checkout)


def find_generated_files(root: str, tracked: Collection[bytes], changed: Iterable[str]) -> list[GeneratedFile]:
    """Find what was generated next to the modules among ``tracked``, the subject's paths, of the tree at ``root``.

    ``changed`` are the paths in which the subject differs from its base. A compiled module that is older than one of
    them from which it may be built isn't the subject's, and is left out.
    """
    if not any(name.rpartition(b"/")[2] in _MARKERS for name in tracked if name.endswith(_ENDS)):
        return []
    newest = max((_read_time(f"{root}/{path}") for path in changed if _NATIVE.fullmatch(path)), default=0)
    found: list[GeneratedFile] = []
    size = 0
    for folder in sorted(_list_module_folders(tracked)):
        for path, info in _list_candidates(os.fsencode(root), folder):
            if path in tracked or (_COMPILED.fullmatch(path) and info.st_mtime_ns < newest):
                continue
            size += info.st_size
            if len(found) == _MOST_FILES or size > _MOST_BYTES:
                return found
            found.append(GeneratedFile(path, os.fsencode(root) + b"/" + path))
    return found


def _list_module_folders(tracked: Iterable[bytes]) -> set[bytes]:
    """List the folders of modules, and those that hold these: there is the metadata."""
    own = {name.rpartition(b"/")[0] for name in tracked if name.endswith((b".py", b".pyi", b".pyx"))}
    return {b"", *own, *(folder.rpartition(b"/")[0] for folder in own)}


def _list_candidates(root: bytes, folder: bytes) -> Iterator[tuple[bytes, os.stat_result]]:
    prefix = folder + b"/" if folder else b""
    try:
        names = os.listdir(root + b"/" + prefix)
    except OSError:
        return
    for name in names:
        place = root + b"/" + prefix + name
        if _METADATA.fullmatch(name):
            yield from (
                (prefix + name + b"/" + inner, info) for inner, info in _list_files(place) if inner != b"SOURCES.txt"
            )
        elif _COMPILED.fullmatch(name) or _VERSION.fullmatch(name):
            info = _read_regular(place)
            if info is not None and (_COMPILED.fullmatch(name) or _declares_constants_only(place)):
                yield prefix + name, info


def _list_files(folder: bytes) -> Iterator[tuple[bytes, os.stat_result]]:
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        info = _read_regular(folder + b"/" + name)
        if info is not None:
            yield name, info


def _read_regular(path: bytes) -> os.stat_result | None:
    try:
        info = os.lstat(path)
    except OSError:
        return None
    return info if stat.S_ISREG(info.st_mode) else None


def _read_time(path: str) -> int:
    try:
        return os.lstat(path).st_mtime_ns
    except OSError:
        return 0


def _declares_constants_only(path: bytes) -> bool:
    from verigate.subject.constant_modules import declares_constants_only  # parsing Python is rare

    return declares_constants_only(path)
