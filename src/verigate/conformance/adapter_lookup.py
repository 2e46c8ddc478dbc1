"""Find the adapters at a path: of a folder's manifest, and of tools' files in TOML, as discovery reads them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from verigate.config.tool_definition import may_be_tool
from verigate.conformance.finding_codes import make_finding
from verigate.conformance.manifest_checks import LoadedAdapter, Read, load_manifest
from verigate.discovery.bounded_read import read_bounded
from verigate.discovery.search_path import MANIFEST, toml_files
from verigate.discovery.tool_adapters import ToolAdapters
from verigate.domain.manifest import Origin
from verigate.errors import UsageError
from verigate.tools.document import to_tool

FIXTURES_FOLDER = "fixtures"
_SUFFIX = ".toml"


class AdapterLocation(Struct, frozen=True):
    """One adapter to check: its manifest's folder, or its file in TOML; ``fixtures`` is the folder of its cases.

    ``others`` are folders below ``fixtures`` that belong to another adapter.
    """

    place: Path
    fixtures: Path
    is_tool: bool = False
    others: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """Its name as long as it hasn't been read."""
        return self.place.stem if self.is_tool else self.place.name


def find_adapters_at(path: Path) -> tuple[AdapterLocation, ...]:
    """Find the adapters at ``path``, a folder or one of their files.

    Never none: a folder without any is reported as one that lacks its manifest. Raises UsageError for a file that can't
    declare an adapter by its name.
    """
    if path.is_file():
        if path.name == MANIFEST:
            return (_from_manifest(path.parent),)
        if path.suffix != _SUFFIX:
            hint = f"name an adapter's folder, its {MANIFEST}, or the {_SUFFIX} file of a tool"
            raise UsageError(f"{path.name} doesn't declare an adapter", where="PATH", hint=hint)
        return (_from_tool(path),)
    files = _find_tool_files(path)
    manifest = (_from_manifest(path),) if os.path.lexists(path / MANIFEST) or not files else ()
    return (*manifest, *map(_from_tool, files))


def _from_manifest(folder: Path) -> AdapterLocation:
    return AdapterLocation(
        folder, folder / FIXTURES_FOLDER, others=frozenset(file.stem for file in _find_tool_files(folder))
    )


def _from_tool(file: Path) -> AdapterLocation:
    return AdapterLocation(file, file.parent / FIXTURES_FOLDER / file.stem, is_tool=True)


def _find_tool_files(folder: Path) -> Sequence[Path]:
    return [Path(path) for path in toml_files(str(folder)) if _is_tool_candidate(path)]


def _is_tool_candidate(path: str) -> bool:
    try:
        return may_be_tool(read_bounded(path))
    except OSError:
        # Read again as an adapter, where the error is reported.
        return True


def load_adapter(adapter: AdapterLocation, read: Read, tools: ToolAdapters, read_tool: Read) -> LoadedAdapter:
    """Load the adapter, with the faults of its declaration."""
    if not adapter.is_tool:
        return load_manifest(adapter.place, read)
    path, file = str(adapter.place), adapter.place.name
    try:
        content = read_bounded(path)
    except OSError as problem:
        return LoadedAdapter(None, (make_finding("TOOL_DEFINITION", f"{file} can't be read: {problem.strerror}"),))
    document, faults = read_tool(content, file)
    if document is None or faults:
        messages = [str(fault) for fault in faults] or [f"{file} has no table [adapter]"]
        return LoadedAdapter(None, tuple(make_finding("TOOL_DEFINITION", each) for each in messages))
    [manifest], _ = tools.load(
        [path], Origin.PATH, display_path=lambda _: file, real_path=lambda each: each, content_of=lambda _: content
    )
    return LoadedAdapter(manifest, (), to_tool(document))
