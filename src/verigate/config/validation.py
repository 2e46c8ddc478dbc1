"""Values against our schemas: every fault with its pointer, its line and the nearest known key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from verigate.config import validation_cache
from verigate.config.schemas import artifact_schema, schema, texts
from verigate.domain.invariants import find_violations
from verigate.errors import Fault
from verigate.formats.schema import Schema, SchemaError, find_outside_references, locate_faults

if TYPE_CHECKING:
    from verigate.domain.media import MediaSpec


def validate(
    kind_or_spec: str, value: Any, *, file: str | None = None, source: bytes | None = None
) -> tuple[Fault, ...]:
    """What is wrong with ``value`` as a file of this kind (``plan``) or media spec (``verigate:lint.v1``).

    ``source`` is the text it was read from and gives the faults their lines. Raises KeyError for a kind without schema.
    """
    if source is not None and validation_cache.is_marked_valid(texts(kind_or_spec), source):
        return ()
    faults = schema(kind_or_spec).find_faults(value, file=file, source=source)
    if faults:
        return faults
    broken = [Fault(message, pointer=place) for place, message in find_violations(kind_or_spec, value)]
    if source is not None and not broken:
        validation_cache.mark_valid(texts(kind_or_spec), source)
    return locate_faults(broken, file=file, source=source)


def unknown_keys(kind: str, value: Any, *, file: str | None = None, source: bytes | None = None) -> tuple[Fault, ...]:
    """Keys that a file of this kind may have but that mean nothing to us: warnings."""
    return schema(kind).find_unknown_keys(value, file=file, source=source)


def check_media(spec: MediaSpec, value: Any) -> tuple[Fault, ...]:
    """What is wrong with a parsed artifact of this media spec: by our schema, then by the one it brings.

    A table that redefines a standard spec ID can add to what is asked of it, not take away. Says nothing of counts that
    don't add up (``domain.invariants``). A schema that can't be used is a fault too: what it was meant to refuse is not
    known to be good.
    """
    if artifact_schema(spec.spec_id) is not None:
        faults = schema(spec.spec_id).find_faults(value)
        if faults:
            return faults
    return check_shape(f"the schema of {spec.spec_id}", spec.schema, value) if spec.schema is not None else ()


def check_shape(name: str, shape: Mapping[str, Any], value: Any) -> tuple[Fault, ...]:
    """What is wrong with a value by a stranger's JSON Schema, of which messages speak as ``name``."""
    outside = find_outside_references(shape)
    if outside:
        return (Fault(f"{name} refers to {outside[0]}; a $ref may only lead inside it"),)
    from verigate.domain.media_values import KEYWORDS

    try:
        return Schema(shape, keywords=KEYWORDS).find_faults(value)
    except SchemaError as problem:
        return (Fault(f"{name} can't be used: {problem}"),)


def check_inside_json(spec: MediaSpec, value: Any, rules: Mapping[str, Any] | None = None) -> tuple[Fault, ...]:
    """What is wrong with a value that stands inside a JSON document, by its media spec and the argument's own rules.

    The steps of the third source document: schema, rules of the definition, base64 for what is binary.
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
