"""Check what manifests and cap definitions have in common: media spec tables, spec IDs, validation rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verigate.domain.media import MediaSpecError, find_table_problems, resolve
from verigate.domain.validation_rules import validation_schema
from verigate.errors import Fault
from verigate.formats import pointer
from verigate.formats.schema import Schema, SchemaError, find_outside_references

MAX_ENTRIES = 1000
MAX_REFERENCES = 2000
MAX_FAULTS = 50
"""Limits: entries of a table, arguments and outputs of a manifest, reported faults of a file.

Each reference searches the table, and each fault compares every entry, for a hint.
"""


def find_validation_faults(item: Mapping[str, Any], file: str, place: str) -> list[Fault]:
    """Find faults of a ``validation``: an invalid pattern."""
    rules = validation_schema(item)
    if rules is None:
        return []
    try:
        Schema(rules).check()
    except SchemaError as problem:
        return [Fault(str(problem), file, f"{place}/validation")]
    return []


def find_table_faults(table: Mapping[str, Any], file: str) -> list[Fault]:
    """Find invalid entries of a ``media_specs`` table: their ID, media type or schema."""
    if len(table) > MAX_ENTRIES:
        return [Fault(f"it has {len(table)} entries, more than the {MAX_ENTRIES} that are read", file, "/media_specs")]
    found = [
        Fault(message, file, pointer.join("media_specs", spec_id)) for spec_id, message in find_table_problems(table)
    ]
    for spec_id, entry in table.items():
        schema = entry.get("schema") if isinstance(entry, Mapping) else None
        if isinstance(schema, Mapping):
            found += _find_schema_faults(schema, file, pointer.join("media_specs", spec_id, "schema"))
    return found


def _find_schema_faults(schema: Mapping[str, Any], file: str, place: str) -> list[Fault]:
    outside = find_outside_references(schema)
    if outside:
        return [Fault(f"it refers to {target}; a $ref may only lead inside it", file, place) for target in outside]
    try:
        Schema(schema).check()
    except SchemaError as problem:
        return [Fault(str(problem), file, place)]
    return []


def find_reference_faults(spec_id: str, table: Mapping[str, Any], file: str, place: str) -> list[Fault]:
    """Check that the spec ID at ``place`` resolves. A broken entry of the table is only reported at the entry."""
    try:
        resolve(spec_id, table)
    except MediaSpecError as problem:
        return [] if spec_id in table else [Fault(str(problem), file, place)]
    return []
