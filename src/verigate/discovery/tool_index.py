"""All tool adapters on the search path, for requests in words: found by their triggers, decoded when they are meant.

Parsing and checking TOML takes longer than all the rest, so what it gave is kept in the user's cache folder under a
name that is the digest of every file's bytes: a file that changed is another name. What lies there is only believed if
nobody else can have written it, and it is never kept below the repository, whose files anybody may bring along.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from verigate.discovery.bounded import read_bounded
from verigate.discovery.search_path import Shelf, toml_files
from verigate.domain.origin import Origin
from verigate.errors import ConfigError, Fault
from verigate.tools.document import to_tool
from verigate.tools.model import Tool

try:
    from _blake2 import blake2b
except ImportError:  # another Python than CPython
    from hashlib import blake2b

if TYPE_CHECKING:
    from verigate.discovery.definitions import DocumentReader

FORMAT = "verigate:tool-index.v2"
MAX_INDEX_BYTES = 64 * 1024 * 1024
KEPT = 16
"""So many indexes are kept, one for each set of files; the oldest go."""

TRUSTED = frozenset({Origin.BUILTIN, Origin.PACKAGE, Origin.PATH})
"""Where adapters come from that the user has chosen. Those of a repository came with it."""

Stems = Callable[[str], Sequence[str]]


class ToolFile(NamedTuple):
    """A .toml file that may be a tool adapter. ``shown`` is how messages name it."""

    path: str
    shown: str
    origin: Origin
    content: bytes


class Entry(NamedTuple):
    """Where a tool stands in an index, in bytes from the end of the header, and where it came from."""

    start: int
    length: int
    origin: Origin
    file: str


class Header(NamedTuple):
    """Alias and first stem of a trigger -> the numbers of entries; and every trigger, for what is nearly one."""

    aliases: dict[str, list[int]]
    stems: dict[str, list[int]]
    triggers: list[str]
    entries: list[Entry]


class ToolIndex:
    """Tools by alias and by trigger."""

    def __init__(self, header: Header, tools: bytes) -> None:
        self._header = header
        self._tools = tools
        self._decoded: dict[int, Tool] = {}

    @property
    def aliases(self) -> Mapping[str, Sequence[int]]:
        """The aliases in lower case, and the numbers of the tools that have them."""
        return self._header.aliases

    @property
    def triggers(self) -> Sequence[str]:
        """Every trigger, once, in order."""
        return self._header.triggers

    def find_by_stems(self, stems: Iterable[str]) -> list[int]:
        """The numbers of the tools with a trigger that begins with one of these stems, in order."""
        known = self._header.stems
        return sorted({number for stem in stems for number in known.get(stem, ())})

    def tool(self, number: int) -> Tool:
        """One tool."""
        if number not in self._decoded:
            entry = self._header.entries[number]
            document = json.loads(self._tools[entry.start : entry.start + entry.length])
            self._decoded[number] = to_tool(document)
        return self._decoded[number]

    def file(self, number: int) -> str:
        """The file that declares it."""
        return self._header.entries[number].file

    def is_trusted(self, number: int) -> bool:
        """Whether the user chose it, and not whoever wrote the repository."""
        return self._header.entries[number].origin in TRUSTED


def tool_files(shelves: Iterable[Shelf], builtin: str) -> list[ToolFile]:
    """The .toml files on the shelves that may be tool adapters, by shelf and name. ``builtin`` is what ships."""
    found: list[ToolFile] = []
    shipped = os.path.realpath(builtin) + os.sep
    for shelf in shelves:
        try:
            manifests, without = shelf.manifests()
        except OSError:
            continue
        for folder in (*without, *(path.rpartition("/")[0] for path in manifests)):
            for path in toml_files(folder):
                try:
                    content = read_bounded(path)
                except OSError:
                    continue
                if b"adapter" in content:
                    own = os.path.realpath(path).startswith(shipped)
                    origin = Origin.BUILTIN if own else shelf.origin
                    found.append(ToolFile(path, shelf.shown(path), origin, content))
    return found


def tool_index(
    files: Sequence[ToolFile], read: DocumentReader, stems: Stems, version: str, cache: str | None
) -> tuple[ToolIndex, tuple[str, ...]]:
    """The index of these files, from ``cache`` (a folder) where it is known there, and warnings.

    ``version`` is of all that what is kept depends on besides the files. Raises ConfigError with the faults of files
    that the repository or the user brought; those of installed packages are warnings.
    """
    digest = blake2b(f"{FORMAT}\0{version}\0".encode(), digest_size=32)
    for file in files:
        digest.update(f"{file.origin.value}\0{file.shown}\0".encode("utf-8", "surrogateescape"))
        digest.update(blake2b(file.content, digest_size=32).digest())
    path = f"{cache}/{digest.hexdigest()}" if cache is not None else None
    if path is not None and (known := _load(path)) is not None:
        return known, ()
    made, content, warnings = _build(files, read, stems)
    if path is not None and not warnings:
        _store(path, content)
    return made, warnings


def _build(files: Sequence[ToolFile], read: DocumentReader, stems: Stems) -> tuple[ToolIndex, bytes, tuple[str, ...]]:
    tools: list[tuple[Tool, Mapping[str, Any], ToolFile]] = []
    faults: list[Fault] = []
    warnings: list[str] = []
    first: dict[str, Origin] = {}
    for file in files:
        document, wrong = read(file.content, file.shown)
        if wrong:
            binding = file.origin in {Origin.REPOSITORY, Origin.PATH, Origin.NPM}
            faults += wrong if binding else ()
            warnings += [] if binding else map(str, wrong)
        if document is None or wrong or "adapter" not in document:
            continue
        tool = to_tool(document)
        # An earlier shelf goes before a later one; two on one shelf are both there, and whoever means one must say.
        if first.setdefault(tool.alias, file.origin) is file.origin:
            tools.append((tool, document, file))
    if faults:
        raise ConfigError(faults)
    header, blob = _indexed(tools, stems)
    encoded = _encoded(header)
    return ToolIndex(header, blob), len(encoded).to_bytes(8, "big") + encoded + blob, tuple(warnings)


def _encoded(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _indexed(tools: Sequence[tuple[Tool, Mapping[str, Any], ToolFile]], stems: Stems) -> tuple[Header, bytes]:
    aliases: dict[str, list[int]] = {}
    by_stem: dict[str, list[int]] = {}
    triggers: set[str] = set()
    entries: list[Entry] = []
    parts: list[bytes] = []
    start = 0
    ordered = sorted(tools, key=lambda each: (each[0].alias, each[2].origin.value, each[2].content))
    for number, (tool, document, file) in enumerate(ordered):
        for alias in dict.fromkeys(alias.lower() for alias in tool.aliases):
            aliases.setdefault(alias, []).append(number)
        words = {trigger.lower() for capability in tool.capabilities for trigger in capability.triggers}
        triggers |= words
        for stem in sorted({found[0] for word in words if (found := stems(word))}):
            by_stem.setdefault(stem, []).append(number)
        parts.append(_encoded(document))
        entries.append(Entry(start, len(parts[-1]), file.origin, file.shown))
        start += len(parts[-1])
    return Header(aliases, by_stem, sorted(triggers), entries), b"".join(parts)


def _load(path: str) -> ToolIndex | None:
    """What is kept there, None if nothing is that can be used or only the user can have written."""
    try:
        if not _is_own(os.stat(os.path.dirname(path))):  # noqa: PTH116, PTH120 - one call of many, and pathlib is slow
            return None
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or not _is_own(status) or status.st_size > MAX_INDEX_BYTES:
            return None
        content = os.read(descriptor, status.st_size)
        size = int.from_bytes(content[:8], "big")
        header = _header(json.loads(content[8 : 8 + size]))
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    finally:
        os.close(descriptor)
    whole = 8 + size + sum(entry.length for entry in header.entries)
    return ToolIndex(header, content[8 + size :]) if whole == len(content) else None


def _header(document: Any) -> Header:
    aliases, stems, triggers, entries = document
    return Header(aliases, stems, triggers, [Entry(start, size, Origin(o), file) for start, size, o, file in entries])


def _is_own(status: os.stat_result) -> bool:
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _store(path: str, content: bytes) -> None:
    """Keep an index whole or not at all; where that can't be done the next call makes it again."""
    import tempfile

    folder = os.path.dirname(path)  # noqa: PTH120 - as above
    temporary = None
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103 - as above
        if not _is_own(os.stat(folder)):  # noqa: PTH116 - as above
            return
        descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=".")
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.replace(temporary, path)  # noqa: PTH105 - as above
        temporary = None
        _prune(folder)
    except OSError:
        if temporary is not None:
            os.unlink(temporary)  # noqa: PTH108 - as above


def _prune(folder: str) -> None:
    entries = sorted(os.scandir(folder), key=lambda entry: (-entry.stat(follow_symlinks=False).st_mtime, entry.name))
    for entry in entries[KEPT:]:
        os.unlink(entry.path)  # noqa: PTH108 - as above
