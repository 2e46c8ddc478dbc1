"""Keys of a skill: inputs, parameters and artifacts, each with a type and, if it wants, a JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from verigate.errors import UsageError
from verigate.formats.schema import Schema, SchemaError

ValueType = Literal["string", "integer", "number", "boolean", "array", "object"]
_MAX_JSON = 16 * 1024 * 1024


class InputKey(Struct, frozen=True, forbid_unknown_fields=True):
    """A declared input. Of type ``file`` it is a file of that name in ``uploads``, else a value in the prompt.

    ``schema`` holds for the value, of a file for its content, which then has to be JSON. A value that isn't
    ``required`` may be left out, and is its ``default`` or null; a file may not.
    """

    type: Literal["file"] | ValueType = "file"
    description: str = ""
    schema: Mapping[str, Any] = field(default_factory=dict)
    required: bool = True
    default: Any | UnsetType = UNSET


class ParameterKey(Struct, frozen=True, forbid_unknown_fields=True):
    """A declared parameter: ``{{ parameter.NAME }}`` in the prompt."""

    type: ValueType = "string"
    description: str = ""
    schema: Mapping[str, Any] = field(default_factory=dict)
    required: bool = True
    default: Any | UnsetType = UNSET


class ArtifactKey(Struct, frozen=True, forbid_unknown_fields=True):
    """A file that a skill writes below ``artifacts``. With a ``schema`` its content has to be JSON."""

    description: str = ""
    schema: Mapping[str, Any] = field(default_factory=dict)
    required: bool = True


class MissingInputError(UsageError):
    """A declared input is missing. A value given in place of a file is never used as its content."""

    code = "MISSING_INPUT"


class InvalidValueError(UsageError):
    """A value has another type, or isn't as the schema of its key says."""

    code = "INVALID_INPUT"


def check_schema(document: Mapping[str, Any], where: str) -> None:
    """Check that a skill's schema can be used. Raises UsageError."""
    try:
        Schema(document).check()
    except SchemaError as problem:
        raise UsageError(str(problem), where=where) from problem


def resolve_value(name: str, key: InputKey | ParameterKey, given: Mapping[str, Any], what: str) -> Any:
    """Return the value of a key that isn't a file. Raises MissingInputError, InvalidValueError."""
    if name not in given:
        if key.default is not UNSET:
            return key.default
        if not key.required:
            return None
        hint = f"set {name} in {what}s of the engine's options, or with --{what} {name}=VALUE"
        raise MissingInputError(f"the {what} {name!r} is missing", where=key.description or None, hint=hint)
    schema = {**key.schema, "allOf": [{"type": key.type}, *key.schema.get("allOf", ())]}
    check_value(given[name], schema, f"the {what} {name!r}")
    return given[name]


def check_value(value: Any, schema: Mapping[str, Any], what: str) -> None:
    """Check a value by a schema. Raises InvalidValueError with the first fault."""
    try:
        faults = Schema(schema).find_faults(value, limit=1)
    except SchemaError as problem:
        raise UsageError(f"the schema of {what} can't be used: {problem}") from problem
    if faults:
        raise InvalidValueError(
            f"{what} isn't as its schema says: {faults[0].message}", where=faults[0].pointer or None
        )


def check_json_file(path: Path, schema: Mapping[str, Any], what: str) -> None:
    """Check the content of a file by a schema; without one anything goes. Raises InvalidValueError."""
    if not schema:
        return
    try:
        if path.stat().st_size > _MAX_JSON:
            raise InvalidValueError(f"{what} is larger than 16 MiB", where=str(path))
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as problem:
        raise InvalidValueError(f"{what} is not JSON: {str(problem)[:200]}", where=str(path)) from problem
    check_value(value, schema, what)
