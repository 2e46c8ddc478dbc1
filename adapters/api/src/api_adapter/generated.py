"""Valid input for an endpoint, generated from its schemas; the same for the same description, seed and libraries.

hypothesis makes the values, as it does for schemathesis, and each is held to its schema before it is sent.
"""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from api_adapter.operations import Operation, Parameter, is_json
from api_adapter.schemas import json_schema

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
"""What is asked for where any number or text will do: where something is there, it is often the first."""

_NOTHING = object()


class Input(Struct, frozen=True):
    """Values by parameter, keyed ``place:name``, and the body's value where there is one."""

    values: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    has_body: bool = False


class NotGeneratedError(Exception):
    """Why no valid input can be had for an endpoint."""


def inputs(document: Document, operation: Operation, settings: Settings) -> tuple[Input, ...]:
    """One to ``settings.inputs`` different inputs; the first has examples, defaults and small values where it can.

    Raises NotGeneratedError.
    """
    given = settings.examples.get(operation.id, {})
    chosen = [(_key(p), _preferred(document, p, given)) for p in operation.parameters]
    plain = {key: value for key, value in chosen if value is not _NOTHING}
    body = _body_example(operation, given)
    found: list[Input] = []
    schema = _whole(document, operation)
    if set(schema["required"]) <= plain.keys() | ({"body"} if body is not _NOTHING else set()):
        found.append(Input(plain, None if body is _NOTHING else body, body is not _NOTHING))
    if not schema["properties"] or (found and settings.inputs <= 1):
        return tuple(found)
    configured = {_key(p): given[p.name] for p in operation.parameters if p.name in given}
    made = _generate(schema, settings.inputs, settings.seed ^ zlib.crc32(operation.id.encode()))
    for index, value in enumerate(made):
        # The first has as much as possible of what the description itself gives; the configured counts in each.
        values = {key: item for key, item in value.items() if key != "body"} | (plain if index == 0 else configured)
        fixed = body is not _NOTHING and (index == 0 or "body" in given)
        has_body = fixed or "body" in value
        found.append(Input(values, (body if fixed else value["body"]) if has_body else None, has_body))
    unique: list[Input] = []
    for entry in found:
        if entry not in unique:
            unique.append(entry)
    return tuple(unique[: max(settings.inputs, 1)])


def _whole(document: Document, operation: Operation) -> dict[str, Any]:
    """One object schema for all that an endpoint takes."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    for parameter in operation.parameters:
        properties[_key(parameter)] = _bounded(json_schema(document, parameter.schema, "request"), parameter.place)
        if parameter.required:
            required.append(_key(parameter))
    if operation.body is not None:
        media = operation.body.media_type
        if not (is_json(media) or media == _FORM):
            raise NotGeneratedError(f"no body of type {media} is generated")
        properties["body"] = json_schema(document, operation.body.schema, "request")
        if operation.body.required:
            required.append("body")
    # Each of them brings its own definitions, whose names must not meet.
    definitions: dict[str, Any] = {}
    for index, (key, schema) in enumerate(list(properties.items())):
        properties[key] = _moved(schema, f"p{index}", definitions)
    whole = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {**whole, "$defs": definitions} if definitions else whole


def _moved(schema: dict[str, Any], prefix: str, definitions: dict[str, Any]) -> dict[str, Any]:
    own = schema.pop("$defs", {})
    schema.pop("$schema", None)
    definitions |= {f"{prefix}{name}": _renamed(value, prefix) for name, value in own.items()}
    moved: dict[str, Any] = _renamed(schema, prefix)
    return moved


def _renamed(node: Any, prefix: str) -> Any:
    if isinstance(node, list):
        return [_renamed(item, prefix) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: f"#/$defs/{prefix}{value.removeprefix('#/$defs/')}"
        if key == "$ref" and isinstance(value, str)
        else _renamed(value, prefix)
        for key, value in node.items()
    }


def _bounded(schema: dict[str, Any], place: str) -> dict[str, Any]:
    """Values that a path or header can carry, and numbers that no database refuses."""
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


def _preferred(document: Document, parameter: Parameter, given: Mapping[str, Any]) -> Any:
    """The configured value, else the document's example, default or first choice, else 1 for a number or text."""
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

    # Nothing is kept between calls, and nothing is written into the repository.
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
        # The schema is the subject's: whatever it breaks in there is told of this endpoint alone.
        raise NotGeneratedError(f"no valid input could be generated: {type(error).__name__}") from error
    if not found:
        raise NotGeneratedError("no valid input could be generated")
    return found[:count]
