"""Index all tool adapters on the search path by alias and trigger, for requests in words; tools are decoded on demand.

Parsing and checking TOML takes longer than all the rest, so the index is cached in the user's cache folder, named by
the digest of all files: a changed file gives another name. A cached index is only trusted if no other user can have
written it, and it is never inside the repository, whose files are untrusted.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from verigate.discovery.bounded_read import read_bounded
from verigate.discovery.search_path import SearchLocation
from verigate.domain.origin import Origin
from verigate.tools.document import to_tool
from verigate.tools.misspelt_table import explain_misspelt_table, find_misspelt_table
from verigate.tools.model import Tool

try:
    from _blake2 import blake2b
except ImportError:  # another Python than CPython
    from hashlib import blake2b

if TYPE_CHECKING:
    from verigate.discovery.cap_definitions import DocumentReader

FORMAT = "verigate:tool-index.v2"
MAX_INDEX_BYTES = 64 * 1024 * 1024
MAX_CACHED = 16
"""Most cached indexes, one for each set of files; the oldest are removed."""

TRUSTED = frozenset({Origin.BUILTIN, Origin.PACKAGE, Origin.PATH})
"""Origins that the user has chosen. Adapters of a repository came with it."""

Stems = Callable[[str], Sequence[str]]


class ToolFile(NamedTuple):
    """A .toml file that may be a tool adapter. ``shown`` is its path in messages."""

    path: str
    shown: str
    origin: Origin
    content: bytes


class IndexEntry(NamedTuple):
    """Position of a tool in an index, in bytes after the header, with its origin and file."""

    start: int
    length: int
    origin: Origin
    file: str


class IndexHeader(NamedTuple):
    """Entry numbers by alias and by first stem of a trigger; all triggers, to suggest similar ones; the entries."""

    aliases: dict[str, list[int]]
    stems: dict[str, list[int]]
    triggers: list[str]
    entries: list[IndexEntry]


class ToolIndex:
    """Looks up tools by alias and by trigger."""

    def __init__(self, header: IndexHeader, tools: bytes) -> None:
        self._header = header
        self._tools = tools
        self._decoded: dict[int, Tool] = {}

    @property
    def aliases(self) -> Mapping[str, Sequence[int]]:
        """Numbers of tools by alias in lower case."""
        return self._header.aliases

    @property
    def triggers(self) -> Sequence[str]:
        """All triggers, sorted and unique."""
        return self._header.triggers

    def find_by_stems(self, stems: Iterable[str]) -> list[int]:
        """The numbers of the tools with a trigger that begins with one of these stems, in order."""
        known = self._header.stems
        return sorted({number for stem in stems for number in known.get(stem, ())})

    def tool(self, number: int) -> Tool:
        """Decode a tool, cached."""
        if number not in self._decoded:
            entry = self._header.entries[number]
            document = json.loads(self._tools[entry.start : entry.start + entry.length])
            self._decoded[number] = to_tool(document)
        return self._decoded[number]

    def file(self, number: int) -> str:
        """The file that declares a tool."""
        return self._header.entries[number].file

    def is_trusted(self, number: int) -> bool:
        """Whether the user chose the tool: it didn't come with the repository."""
        return self._header.entries[number].origin in TRUSTED


def find_tool_files(locations: Iterable[SearchLocation], builtin: str) -> list[ToolFile]:
    """List the .toml files that may be tool adapters, by location and name. ``builtin`` is the built-in folder."""
    found: list[ToolFile] = []
    shipped = os.path.realpath(builtin) + os.sep
    for location in locations:
        try:
            folders = location.list_folders()
        except OSError:
            continue
        for folder in sorted(folders, key=lambda each: each.has_manifest):
            for path in folder.tables:
                try:
                    content = read_bounded(path)
                except OSError:
                    continue
                if b"adapter" in content or b"capabilit" in content:
                    own = os.path.realpath(path).startswith(shipped)
                    origin = Origin.BUILTIN if own else location.origin
                    found.append(ToolFile(path, location.display_path(path), origin, content))
    return found


def load_tool_index(
    files: Sequence[ToolFile], read: DocumentReader, stems: Stems, version: str, cache: str | None
) -> tuple[ToolIndex, tuple[str, ...]]:
    """Load the index of these files from the folder ``cache``, or build it; also returns warnings.

    ``version`` identifies everything else that the index depends on. A file with faults is left out, and its faults
    are warnings.
    """
    digest = blake2b(f"{FORMAT}\0{version}\0".encode(), digest_size=32)
    for file in files:
        digest.update(f"{file.origin.value}\0{file.shown}\0".encode("utf-8", "surrogateescape"))
        digest.update(blake2b(file.content, digest_size=32).digest())
    path = f"{cache}/{digest.hexdigest()}" if cache is not None else None
    if path is not None and (known := _load_cached(path)) is not None:
        return known, ()
    made, content, warnings = _build_index(files, read, stems)
    if path is not None and not warnings:
        _store_cached(path, content)
    return made, warnings


def _build_index(
    files: Sequence[ToolFile], read: DocumentReader, stems: Stems
) -> tuple[ToolIndex, bytes, tuple[str, ...]]:
    tools: list[tuple[Tool, Mapping[str, Any], ToolFile]] = []
    warnings: list[str] = []
    first: dict[str, Origin] = {}
    for file in files:
        document, wrong = read(file.content, file.shown)
        # A broken file is none of the tools, whose words another may know: it is reported, and stops no other.
        warnings += map(str, wrong)
        if document is None and not wrong and (name := find_misspelt_table(file.content)) is not None:
            warnings.append(explain_misspelt_table(file.shown, name))
        if document is None or wrong or "adapter" not in document:
            continue
        tool = to_tool(document)
        # An earlier location wins. Two in one location are both kept: the request has to name one.
        if first.setdefault(tool.alias, file.origin) is file.origin:
            tools.append((tool, document, file))
    header, blob = _build_header(tools, stems)
    encoded = _encode(header)
    return ToolIndex(header, blob), len(encoded).to_bytes(8, "big") + encoded + blob, tuple(warnings)


def _encode(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def _build_header(tools: Sequence[tuple[Tool, Mapping[str, Any], ToolFile]], stems: Stems) -> tuple[IndexHeader, bytes]:
    aliases: dict[str, list[int]] = {}
    by_stem: dict[str, list[int]] = {}
    triggers: set[str] = set()
    entries: list[IndexEntry] = []
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
        parts.append(_encode(document))
        entries.append(IndexEntry(start, len(parts[-1]), file.origin, file.shown))
        start += len(parts[-1])
    return IndexHeader(aliases, by_stem, sorted(triggers), entries), b"".join(parts)


def _load_cached(path: str) -> ToolIndex | None:
    """Load a cached index; None if there is none, it is invalid, or another user could have written it."""
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
        header = _to_header(json.loads(content[8 : 8 + size]))
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    finally:
        os.close(descriptor)
    whole = 8 + size + sum(entry.length for entry in header.entries)
    return ToolIndex(header, content[8 + size :]) if whole == len(content) else None


def _to_header(document: Any) -> IndexHeader:
    aliases, stems, triggers, entries = document
    return IndexHeader(
        aliases, stems, triggers, [IndexEntry(start, size, Origin(o), file) for start, size, o, file in entries]
    )


def _is_own(status: os.stat_result) -> bool:
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _store_cached(path: str, content: bytes) -> None:
    """Cache an index atomically. Failures are ignored: the next call builds it again."""
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
    for entry in entries[MAX_CACHED:]:
        os.unlink(entry.path)  # noqa: PTH108 - as above
