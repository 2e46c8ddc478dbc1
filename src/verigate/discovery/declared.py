"""What manifests and cap definitions have in common: media spec tables, references to spec IDs, rules of values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verigate.domain.media import MediaSpecError, find_table_problems, resolve
from verigate.errors import Fault
from verigate.formats import pointer
from verigate.formats.schema import Schema, SchemaError, find_outside_references

MAX_ENTRIES = 1000
MAX_REFERENCES = 2000
MAX_FAULTS = 50
"""So many entries a table may have, so many arguments and outputs a manifest, and so many faults of a file are told.

For each reference the table is gone through, and for each fault every entry, for a hint.
"""

_KEYWORDS = {
    "min": "minimum",
    "max": "maximum",
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
    "allowed_values": "enum",
}


def rules_of(item: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The ``validation`` of an argument or output as a JSON Schema, None where it has none."""
    rules = item.get("validation")
    return {_KEYWORDS[key]: value for key, value in rules.items()} if rules else None


def rules_faults(item: Mapping[str, Any], file: str, place: str) -> list[Fault]:
    """What keeps a ``validation`` from being used: a pattern that is none."""
    rules = rules_of(item)
    if rules is None:
        return []
    try:
        Schema(rules).check()
    except SchemaError as problem:
        return [Fault(str(problem), file, f"{place}/validation")]
    return []


def table_faults(table: Mapping[str, Any], file: str) -> list[Fault]:
    """Every entry of a ``media_specs`` table that can't be used: by its ID, its media type or its schema."""
    if len(table) > MAX_ENTRIES:
        return [Fault(f"it has {len(table)} entries, more than the {MAX_ENTRIES} that are read", file, "/media_specs")]
    found = [
        Fault(message, file, pointer.join("media_specs", spec_id)) for spec_id, message in find_table_problems(table)
    ]
    for spec_id, entry in table.items():
        schema = entry.get("schema") if isinstance(entry, Mapping) else None
        if isinstance(schema, Mapping):
            found += _schema_faults(schema, file, pointer.join("media_specs", spec_id, "schema"))
    return found


def _schema_faults(schema: Mapping[str, Any], file: str, place: str) -> list[Fault]:
    outside = find_outside_references(schema)
    if outside:
        return [Fault(f"it refers to {target}; a $ref may only lead inside it", file, place) for target in outside]
    try:
        Schema(schema).check()
    except SchemaError as problem:
        return [Fault(str(problem), file, place)]
    return []


def reference_faults(spec_id: str, table: Mapping[str, Any], file: str, place: str) -> list[Fault]:
    """What is wrong with a spec ID that stands at ``place``; one whose entry is broken is told of at the entry."""
    try:
        resolve(spec_id, table)
    except MediaSpecError as problem:
        return [] if spec_id in table else [Fault(str(problem), file, place)]
    return []
