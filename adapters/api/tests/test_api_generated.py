"""Generated input fits its schema, is the same each time, and is written as OpenAPI says."""

from __future__ import annotations

import json
from typing import Any

import jsonschema_rs
import pytest

from api_adapter.document import parse
from api_adapter.operations import Operation, read_operations
from api_adapter.request_encoding import encode_call
from api_adapter.request_inputs import Input, NotGeneratedError, generate_inputs
from api_adapter.schemes import Credential
from api_adapter.settings import Settings

SCHEMAS: list[dict[str, Any]] = [
    {"type": "integer", "minimum": 3, "exclusiveMaximum": 5},
    {"type": "integer", "multipleOf": 7, "minimum": 10**12},
    {"type": "number", "minimum": 0.5, "maximum": 0.75},
    {"type": "string", "minLength": 3, "maxLength": 4},
    {"type": "string", "pattern": "^[a-f]{2}-\\d+$"},
    *({"type": "string", "format": name} for name in ("date-time", "date", "uuid", "email", "ipv4", "uri", "hostname")),
    {"enum": ["a", 2, None]},
    {"const": {"a": 1}},
    {"type": ["string", "null"]},
    {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2, "uniqueItems": True},
    {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "integer"}, "b": {}},
        "additionalProperties": False,
    },
    {"allOf": [{"required": ["a"], "properties": {"a": {"type": "string"}}}, {"type": "object", "minProperties": 1}]},
    {"oneOf": [{"type": "integer"}, {"type": "string", "maxLength": 2}]},
    {"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "type": "object", "properties": {"a": {}, "b": {}}},
]
TREE = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string"},
        "children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
    },
}


def operation(
    schema: Any, place: str = "query", *, required: bool = True, body: Any = None, **parameter: Any
) -> tuple[Any, Operation]:
    """A description with one operation that takes one parameter ``p`` (a body instead where one is given)."""
    item: dict[str, Any] = {"responses": {"200": {"description": "ok"}}}
    path = "/x/{p}" if place == "path" else "/x"
    if body is not None:
        item["requestBody"] = {"required": True, "content": {body: {"schema": schema}}}
    else:
        item["parameters"] = [{"name": "p", "in": place, "required": required, "schema": schema, **parameter}]
    value = {"openapi": "3.1.0", "paths": {path: {"post": item}}, "components": {"schemas": {"Tree": TREE}}}
    document = parse(json.dumps(value).encode(), "openapi.json")
    return document, read_operations(document)[0]


@pytest.mark.parametrize("schema", SCHEMAS, ids=[str(schema) for schema in SCHEMAS])
def test_input_fits_its_schema_and_is_the_same_each_time(schema: dict[str, Any]) -> None:
    document, found = operation(schema, body="application/json")
    made = generate_inputs(document, found, Settings(inputs=4))
    assert made
    assert all(jsonschema_rs.validator_for(schema).is_valid(entry.body) for entry in made)
    assert made == generate_inputs(document, found, Settings(inputs=4))


def test_a_recursive_schema_ends() -> None:
    document, found = operation({"$ref": "#/components/schemas/Tree"}, body="application/json")
    assert all(isinstance(entry.body["name"], str) for entry in generate_inputs(document, found, Settings()))


@pytest.mark.parametrize(
    ("schema", "body"),
    [({"not": {}}, "application/json"), ({"type": "string", "pattern": "("}, "application/json"), ({}, "image/png")],
)
def test_what_cant_be_generated_is_said(schema: Any, body: str) -> None:
    document, found = operation(schema, body=body)
    with pytest.raises(NotGeneratedError):
        generate_inputs(document, found, Settings())


PREFERRED: list[tuple[dict[str, Any], dict[str, Any], Any]] = [
    ({"type": "integer"}, {}, 1),
    ({"type": "string", "minLength": 1}, {}, "1"),
    ({"type": "integer", "default": 9}, {}, 9),
    ({"type": "string", "enum": ["b", "a"]}, {}, "b"),
    ({"type": "string", "example": "e"}, {}, "e"),
    ({"type": "string"}, {"example": "outer"}, "outer"),
    ({"type": "string"}, {"examples": {"one": {"value": "named"}}}, "named"),
]


@pytest.mark.parametrize(("schema", "parameter", "first"), PREFERRED, ids=[str(case[2]) for case in PREFERRED])
def test_the_first_input_is_the_documents_own(schema: dict[str, Any], parameter: dict[str, Any], first: Any) -> None:
    document, found = operation(schema, "path", **parameter)
    assert generate_inputs(document, found, Settings(inputs=1))[0].values == {"path:p": first}


@pytest.mark.parametrize("schema", [{"minLength": 2}, {"format": "uuid"}, {"pattern": "^a+$"}, {"maxLength": 0}])
def test_a_text_that_isnt_any_text_is_generated(schema: dict[str, Any]) -> None:
    document, found = operation({"type": "string", **schema}, "query")
    (made,) = generate_inputs(document, found, Settings(inputs=1))
    assert jsonschema_rs.validator_for(schema).is_valid(made.values["query:p"])


def test_a_configured_example_is_in_every_input() -> None:
    document, found = operation({"type": "integer"}, "path")
    settings = Settings(inputs=3, examples={"POST /x/{p}": {"p": 42}})
    assert {entry.values["path:p"] for entry in generate_inputs(document, found, settings)} == {42}


def test_paths_are_never_empty_or_climbing() -> None:
    document, found = operation({"type": "string"}, "path")
    for entry in generate_inputs(document, found, Settings(inputs=20)):
        target = encode_call(found, entry).target
        assert target.count("/") == 2
        assert target not in {"/x/", "/x/.", "/x/.."}


WIRE: list[tuple[str, Any, dict[str, Any], str]] = [
    ("query", ["a b", "c"], {}, "/x?p=a%20b&p=c"),
    ("query", ["a", "c"], {"explode": False}, "/x?p=a%2Cc"),
    ("query", ["a", "c"], {"style": "pipeDelimited", "explode": False}, "/x?p=a%7Cc"),
    ("query", {"k": 1}, {"style": "deepObject"}, "/x?p%5Bk%5D=1"),
    ("query", {"k": True}, {}, "/x?k=true"),
    ("path", "a/b?", {}, "/x/a%2Fb%3F"),
    ("path", [1, 2], {}, "/x/1%2C2"),
    ("path", "", {}, "/x/-"),
]


@pytest.mark.parametrize(("place", "value", "parameter", "target"), WIRE, ids=[case[3] for case in WIRE])
def test_values_are_written_in_their_style(place: str, value: Any, parameter: dict[str, Any], target: str) -> None:
    _, found = operation({}, place, **parameter)
    assert encode_call(found, Input({f"{place}:p": value})).target == target


def test_credentials_stand_in_their_places() -> None:
    _, found = operation({}, "cookie")
    credentials = (Credential("query", "k", "s p"), Credential("cookie", "c", "v"), Credential("header", "X-Key", "h"))
    call = encode_call(found, Input({"cookie:p": "1"}), credentials)
    assert (call.target, dict(call.headers)) == ("/x?k=s%20p", {"X-Key": "h", "Cookie": "p=1; c=v"})
    assert "s p" not in repr(credentials)
