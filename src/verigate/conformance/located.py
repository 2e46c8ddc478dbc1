"""The adapters at a path: that of a folder's manifest, those of tools' files in TOML, each as discovery reads it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from verigate.config.tool_definition import may_be_tool
from verigate.conformance.codes import finding
from verigate.conformance.manifest_checks import Loaded, Read, load
from verigate.discovery.bounded import read_bounded
from verigate.discovery.search_path import MANIFEST, toml_files
from verigate.discovery.tools import Tools
from verigate.domain.manifest import Origin
from verigate.errors import UsageError
from verigate.tools.document import to_tool

FIXTURES_FOLDER = "fixtures"
_SUFFIX = ".toml"


class Located(Struct, frozen=True):
    """One adapter to check: its manifest's folder, or its file in TOML; ``fixtures`` is the folder of its cases.

    ``others`` are folders below ``fixtures`` that belong to another adapter.
    """

    place: Path
    fixtures: Path
    is_tool: bool = False
    others: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """What it is called as long as nobody has read it."""
        return self.place.stem if self.is_tool else self.place.name


def located(path: Path) -> tuple[Located, ...]:
    """The adapters at ``path``, a folder or one of their files; never none: a folder without any is one that lacks its
    manifest. Raises UsageError for a file that declares no adapter by its name.
    """
    if path.is_file():
        if path.name == MANIFEST:
            return (_of_manifest(path.parent),)
        if path.suffix != _SUFFIX:
            hint = f"name an adapter's folder, its {MANIFEST}, or the {_SUFFIX} file of a tool"
            raise UsageError(f"{path.name} is no file that declares an adapter", where="PATH", hint=hint)
        return (_of_tool(path),)
    files = _tool_files(path)
    manifest = (_of_manifest(path),) if os.path.lexists(path / MANIFEST) or not files else ()
    return (*manifest, *map(_of_tool, files))


def _of_manifest(folder: Path) -> Located:
    return Located(folder, folder / FIXTURES_FOLDER, others=frozenset(file.stem for file in _tool_files(folder)))


def _of_tool(file: Path) -> Located:
    return Located(file, file.parent / FIXTURES_FOLDER / file.stem, is_tool=True)


def _tool_files(folder: Path) -> Sequence[Path]:
    return [Path(path) for path in toml_files(str(folder)) if _may_be_tool(path)]


def _may_be_tool(path: str) -> bool:
    try:
        return may_be_tool(read_bounded(path))
    except OSError:
        # Read again as an adapter, and told of there.
        return True


def loaded(adapter: Located, read: Read, tools: Tools, read_tool: Read) -> Loaded:
    """The adapter with what is wrong with its declaration."""
    if not adapter.is_tool:
        return load(adapter.place, read)
    path, file = str(adapter.place), adapter.place.name
    try:
        content = read_bounded(path)
    except OSError as problem:
        return Loaded(None, (finding("TOOL_DEFINITION", f"{file} can't be read: {problem.strerror}"),))
    document, faults = read_tool(content, file)
    if document is None or faults:
        said = [str(fault) for fault in faults] or [f"{file} has no table [adapter]"]
        return Loaded(None, tuple(finding("TOOL_DEFINITION", each) for each in said))
    [manifest], _ = tools.found(
        [path], Origin.PATH, shown=lambda _: file, standing=lambda each: each, content_of=lambda _: content
    )
    return Loaded(manifest, (), to_tool(document))
