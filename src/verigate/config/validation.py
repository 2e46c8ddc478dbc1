"""Validate values by our schemas. Each fault has its pointer, its line and the nearest known key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from verigate.config import validation_cache
from verigate.config.schemas import compile_schema, load_artifact_schema, read_schema_texts
from verigate.domain.invariants import find_violations
from verigate.errors import Fault
from verigate.formats.schema import Schema, SchemaError, find_outside_references, locate_faults

if TYPE_CHECKING:
    from verigate.domain.media import MediaSpec


def validate(
    kind_or_spec: str, value: Any, *, file: str | None = None, source: bytes | None = None
) -> tuple[Fault, ...]:
    """Validate ``value`` as a file of this kind (``plan``) or media spec (``verigate:lint.v1``).

    ``source`` is the text that it was parsed from and gives the lines. Raises KeyError for a kind without schema.
    """
    if source is not None and validation_cache.is_marked_valid(read_schema_texts(kind_or_spec), source):
        return ()
    faults = compile_schema(kind_or_spec).find_faults(value, file=file, source=source)
    if faults:
        return faults
    broken = [Fault(message, pointer=place) for place, message in find_violations(kind_or_spec, value)]
    if source is not None and not broken:
        validation_cache.mark_valid(read_schema_texts(kind_or_spec), source)
    return locate_faults(broken, file=file, source=source)


def find_unknown_keys(
    kind: str, value: Any, *, file: str | None = None, source: bytes | None = None
) -> tuple[Fault, ...]:
    """Warn of keys that a file of this kind may have, and that the gate doesn't know."""
    return compile_schema(kind).find_unknown_keys(value, file=file, source=source)


def check_media(spec: MediaSpec, value: Any) -> tuple[Fault, ...]:
    """Validate a parsed artifact of this media spec by our schema, then by its own.

    A table that redefines a standard spec ID can add requirements, not remove them. Counts that don't add up are found
    by ``domain.invariants``. An unusable schema is a fault too: nobody knows what it was meant to reject.
    """
    if load_artifact_schema(spec.spec_id) is not None:
        faults = compile_schema(spec.spec_id).find_faults(value)
        if faults:
            return faults
    return check_shape(f"the schema of {spec.spec_id}", spec.schema, value) if spec.schema is not None else ()


def check_shape(name: str, shape: Mapping[str, Any], value: Any) -> tuple[Fault, ...]:
    """Validate a value by a JSON Schema of unknown origin, called ``name`` in messages."""
    outside = find_outside_references(shape)
    if outside:
        return (Fault(f"{name} refers to {outside[0]}; a $ref may only lead inside it"),)
    from verigate.domain.media_values import KEYWORDS

    try:
        return Schema(shape, keywords=KEYWORDS).find_faults(value)
    except SchemaError as problem:
        return (Fault(f"{name} can't be used: {problem}"),)


def check_inside_json(spec: MediaSpec, value: Any, rules: Mapping[str, Any] | None = None) -> tuple[Fault, ...]:
    """Validate a value inside a JSON document by its media spec and the argument's own rules.

    The steps of the third source document: schema, rules of the definition, base64 for binary values.
    """
    if faults := check_media(spec, value):
        return faults
    if rules is not None and (faults := check_shape("its validation", rules, value)):
        return faults
    if not spec.is_binary:
        return ()
    from verigate.domain.media_values import find_base64_fault

    fault = find_base64_fault(spec.spec_id, value)
    return (fault,) if fault else ()
