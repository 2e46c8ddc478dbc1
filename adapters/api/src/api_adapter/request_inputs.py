"""Generate valid inputs for an endpoint from its schemas, deterministic for a description, seed and library versions.

hypothesis generates the values, as it does for schemathesis; each is validated against its schema before it is sent.
"""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from api_adapter.operations import Operation, Parameter, is_json
from api_adapter.schemas import to_json_schema

if TYPE_CHECKING:
    from api_adapter.document import Document
    from api_adapter.settings import Settings

_FORM = "application/x-www-form-urlencoded"
_PATH_TEXT = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,24}$"}
_HEADER_TEXT = {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,24}$"}
_LARGEST = (1 << 31) - 1
_LIMITS = frozenset(
    {"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf", "pattern", "format", "maxLength"}
)
_ONES = {"integer": 1, "string": "1"}
"""Value for any unconstrained number or text, since the first item often exists."""

_NOTHING = object()


class Input(Struct, frozen=True):
    """Values by parameter, keyed ``place:name``, and the value of the body, if any."""

    values: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    has_body: bool = False


class NotGeneratedError(Exception):
    """No valid input can be generated for an endpoint, with the reason."""


def generate_inputs(document: Document, operation: Operation, settings: Settings) -> tuple[Input, ...]:
    """Generate one to ``settings.inputs`` different inputs; the first prefers examples, defaults and small values.

    Raises NotGeneratedError.
    """
    given = settings.examples.get(operation.id, {})
    chosen = [(_key(p), _prefer_value(document, p, given)) for p in operation.parameters]
    plain = {key: value for key, value in chosen if value is not _NOTHING}
    body = _body_example(operation, given)
    found: list[Input] = []
    schema = _combine_schemas(document, operation)
    if set(schema["required"]) <= plain.keys() | ({"body"} if body is not _NOTHING else set()):
        found.append(Input(plain, None if body is _NOTHING else body, body is not _NOTHING))
    if not schema["properties"] or (found and settings.inputs <= 1):
        return tuple(found)
    configured = {_key(p): given[p.name] for p in operation.parameters if p.name in given}
    made = _generate(schema, settings.inputs, settings.seed ^ zlib.crc32(operation.id.encode()))
    for index, value in enumerate(made):
        # The first uses the description's own values where possible; configured values are in every input.
        values = {key: item for key, item in value.items() if key != "body"} | (plain if index == 0 else configured)
        fixed = body is not _NOTHING and (index == 0 or "body" in given)
        has_body = fixed or "body" in value
        found.append(Input(values, (body if fixed else value["body"]) if has_body else None, has_body))
    unique: list[Input] = []
    for entry in found:
        if entry not in unique:
            unique.append(entry)
    return tuple(unique[: max(settings.inputs, 1)])


def _combine_schemas(document: Document, operation: Operation) -> dict[str, Any]:
    """Combine all parameters and the body of an endpoint into one object schema."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in operation.parameters:
        properties[_key(parameter)] = _bound_schema(
            to_json_schema(document, parameter.schema, "request"), parameter.place
        )
        if parameter.required:
            required.append(_key(parameter))
    if operation.body is not None:
        media = operation.body.media_type
        if not (is_json(media) or media == _FORM):
            raise NotGeneratedError(f"can't generate a body of type {media}")
        properties["body"] = to_json_schema(document, operation.body.schema, "request")
        if operation.body.required:
            required.append("body")
    # Each part has its own definitions; keep their names apart.
    definitions: dict[str, Any] = {}
    for index, (key, schema) in enumerate(list(properties.items())):
        properties[key] = _move_definitions(schema, f"p{index}", definitions)
    whole = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {**whole, "$defs": definitions} if definitions else whole


def _move_definitions(schema: dict[str, Any], prefix: str, definitions: dict[str, Any]) -> dict[str, Any]:
    own = schema.pop("$defs", {})
    schema.pop("$schema", None)
    definitions |= {f"{prefix}{name}": _rename_references(value, prefix) for name, value in own.items()}
    moved: dict[str, Any] = _rename_references(schema, prefix)
    return moved


def _rename_references(node: Any, prefix: str) -> Any:
    if isinstance(node, list):
        return [_rename_references(item, prefix) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: f"#/$defs/{prefix}{value.removeprefix('#/$defs/')}"
        if key == "$ref" and isinstance(value, str)
        else _rename_references(value, prefix)
        for key, value in node.items()
    }


def _bound_schema(schema: dict[str, Any], place: str) -> dict[str, Any]:
    """Restrict a schema to values that a path or header can carry, and to numbers that databases accept."""
    kind = schema.get("type")
    if kind == "integer":
        low = -_LARGEST if place != "path" else 0
        bounds = {} if {"minimum", "exclusiveMinimum", "multipleOf", "enum"} & schema.keys() else {"minimum": low}
        if not {"maximum", "exclusiveMaximum", "enum"} & schema.keys():
            bounds["maximum"] = _LARGEST
        return {**schema, **bounds}
    free = kind == "string" and not {"pattern", "format", "enum", "const"} & schema.keys()
    if free and place == "path" and not {"minLength", "maxLength"} & schema.keys():
        return {**schema, **_PATH_TEXT}
    if free and place in {"path", "header", "cookie"}:
        return {**schema, "pattern": "^[A-Za-z0-9_-]+$" if place == "path" else "^[A-Za-z0-9_-]*$"}
    if not schema.keys() - {"$schema", "description", "title"}:
        return {**schema, **(_PATH_TEXT if place == "path" else _HEADER_TEXT)}
    return schema


def _prefer_value(document: Document, parameter: Parameter, given: Mapping[str, Any]) -> Any:
    """Return the configured value, else the document's example, default or first choice, else 1."""
    if parameter.name in given:
        return given[parameter.name]
    schema = document.follow(parameter.schema)
    schema = schema if isinstance(schema, dict) else {}
    candidates = [*parameter.examples, *([schema["example"]] if "example" in schema else [])]
    if parameter.required:
        candidates += [schema["default"]] if "default" in schema else []
        for key in ("examples", "enum"):
            candidates += schema[key] if isinstance(schema.get(key), list) else []
        plain = not _LIMITS & schema.keys() and schema.get("minLength", 0) in {0, 1}
        if plain and schema.get("type") in _ONES:
            candidates.append(_ONES[schema["type"]])
    return candidates[0] if candidates else _NOTHING


def _body_example(operation: Operation, given: Mapping[str, Any]) -> Any:
    if "body" in given:
        return given["body"]
    if operation.body is not None and operation.body.examples:
        return operation.body.examples[0]
    return _NOTHING


def _key(parameter: Parameter) -> str:
    return f"{parameter.place}:{parameter.name}"


def _generate(schema: dict[str, Any], count: int, seed: int) -> list[dict[str, Any]]:
    import hypothesis
    import jsonschema_rs
    from hypothesis.configuration import set_hypothesis_home_dir

    from api_adapter.strategies import Strategies

    # Keep no state between calls, and write nothing into the repository.
    set_hypothesis_home_dir(f"{tempfile.gettempdir()}/hypothesis")
    found: list[dict[str, Any]] = []
    try:
        validator = jsonschema_rs.validator_for(schema)

        def collect(value: dict[str, Any]) -> None:
            if validator.is_valid(value):
                found.append(value)

        test = hypothesis.given(Strategies(schema).of(schema))(collect)
        test = hypothesis.settings(
            max_examples=max(2 * count, 4),
            database=None,
            deadline=None,
            phases=(hypothesis.Phase.generate,),
            suppress_health_check=list(hypothesis.HealthCheck),
            verbosity=hypothesis.Verbosity.quiet,
        )(test)
        hypothesis.seed(seed)(test)()
    except Exception as error:
        # The schema comes from the subject: report any failure in the library for this endpoint only.
        raise NotGeneratedError(f"can't generate valid input: {type(error).__name__}") from error
    if not found:
        raise NotGeneratedError("can't generate valid input")
    return found[:count]
