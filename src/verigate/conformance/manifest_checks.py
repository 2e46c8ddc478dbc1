"""Check an adapter's files before any of it runs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from verigate.config.schemas import find_schema
from verigate.conformance.finding_codes import make_finding
from verigate.discovery.registry import discover
from verigate.discovery.search_path import MANIFEST, SearchLocation
from verigate.domain.conformance import ConformanceFinding
from verigate.domain.manifest import Manifest, Origin
from verigate.errors import ConfigError, Fault
from verigate.formats.schema import Schema, SchemaError, find_outside_references
from verigate.processes.tool_path import ALWAYS
from verigate.tools.model import Tool

_FIRST_LINE = re.compile(rb"#!\s*(\S+)(?:[ \t]+(.*))?")
_MAX_FIRST_LINE = 256

Read = Callable[[bytes, str], tuple[Any, tuple[Fault, ...]]]
"""(bytes of a manifest, its name) -> (document, faults)."""


class LoadedAdapter(Struct, frozen=True):
    """A manifest, None if it is not valid, with its faults; ``tool`` is the declaration of a tool in TOML."""

    manifest: Manifest | None
    findings: tuple[ConformanceFinding, ...]
    tool: Tool | None = None


def load_manifest(folder: Path, read: Read) -> LoadedAdapter:
    """Load the manifest of the adapter in ``folder``, as discovery reads it."""
    if not os.path.lexists(folder / MANIFEST):
        return LoadedAdapter(None, (make_finding("MANIFEST_SCHEMA", f"there is no {MANIFEST} in {folder}"),))
    try:
        registry = discover([SearchLocation(str(folder), Origin.PATH, is_adapter=True)], read)
    except ConfigError as problem:
        return LoadedAdapter(
            None, tuple(make_finding("MANIFEST_SCHEMA", _format_fault(fault, folder)) for fault in problem.faults)
        )
    if len(registry.manifests) != 1:
        return LoadedAdapter(None, (make_finding("MANIFEST_SCHEMA", f"{MANIFEST} declares no adapter"),))
    [manifest] = registry.manifests
    return LoadedAdapter(manifest, tuple(_find_manifest_faults(manifest)))


def _format_fault(fault: Fault, folder: Path) -> str:
    return str(fault._replace(file=(fault.file or "").removeprefix(f"{folder}/") or None))


def _find_manifest_faults(manifest: Manifest) -> Iterator[ConformanceFinding]:
    for warning in manifest.warnings:
        yield make_finding("MANIFEST_UNKNOWN_KEY", f"{MANIFEST}: {warning}")
    if manifest.config_schema is None:
        return
    outside = find_outside_references(manifest.config_schema)
    if outside:
        yield make_finding("CONFIG_DEFAULTS", f"config.schema refers to {outside[0]}; a $ref may only lead inside it")
        return
    try:
        faults = Schema(manifest.config_schema, find_schema).find_faults(dict(manifest.config_defaults))
    except SchemaError as problem:
        yield make_finding("CONFIG_DEFAULTS", f"config.schema: {problem}")
        return
    for fault in faults:
        yield make_finding("CONFIG_DEFAULTS", f"config.defaults: {fault}")


def check_entry(manifest: Manifest) -> Iterator[ConformanceFinding]:
    """Find what prevents the entry from being started."""
    path = Path(manifest.entry_path)
    if not path.is_file():
        yield make_finding("ENTRY_MISSING", f"{manifest.entry} is not a file in {manifest.folder}")
    elif not os.access(path, os.X_OK):
        yield make_finding("ENTRY_NOT_EXECUTABLE", f"{manifest.entry} has mode {path.stat().st_mode & 0o777:03o}")
    else:
        with path.open("rb") as file:
            first = file.read(_MAX_FIRST_LINE).partition(b"\n")[0]
        if problem := _find_interpreter_problem(first, manifest):
            yield make_finding("ENTRY_INTERPRETER", f"{manifest.entry}: {problem}")


def _find_interpreter_problem(first: bytes, manifest: Manifest) -> str | None:
    if not first.startswith(b"#!"):
        return None
    if first.endswith(b"\r"):
        return "its first line ends with CR LF, so the system looks for an interpreter with CR in its name"
    found = _FIRST_LINE.match(first)
    if found is None:
        return "its first line names no interpreter"
    interpreter = os.fsdecode(found[1])
    if not os.access(interpreter, os.X_OK):
        return f"its first line names {interpreter}, which doesn't exist"
    words = os.fsdecode(found[2] or b"").split()
    named = next((word for word in words if not word.startswith("-") and "=" not in word), None)
    if os.path.basename(interpreter) != "env" or named is None or named in {*ALWAYS, *manifest.sandbox.tools}:  # noqa: PTH119
        return None
    return f"its first line requests {named} from env, which is not among sandbox.tools"
