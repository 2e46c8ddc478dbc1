"""What a body that fits its schema leaves unchecked: lists without items, and fields that the schema doesn't name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from api_adapter.body_coverage import Coverage, look_through
from api_adapter.client import ApiResponse
from api_adapter.document import parse
from api_adapter.operations import read_operations
from api_adapter.validation import Validators

ITEM = {
    "type": "object",
    "required": ["id"],
    "properties": {"id": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}},
}
REFERENCE = {"$ref": "#/components/schemas/Item"}
LIST = {"type": "array", "items": REFERENCE}
PAGE = {"type": "object", "properties": {"items": LIST, "total": {"type": "integer"}}}
TWO = {"type": "object", "properties": {"one": LIST, "other": LIST}}
OPEN = {**ITEM, "additionalProperties": True}
ALL = {"allOf": [REFERENCE, {"type": "object", "properties": {"more": {"type": "string"}}}]}
ANY = {"oneOf": [REFERENCE, {"type": "object", "properties": {"name": {"type": "string"}}}]}
MAP = {"type": "object", "additionalProperties": {"type": "integer"}}
TREE = {"type": "object", "properties": {"id": {}, "below": {"$ref": "#/components/schemas/Tree"}}}


def look(schema: Any, *bodies: Any, version: str = "3.0.3") -> tuple[list[str], list[str]]:
    """Return the lists that were always empty, and the additional fields."""
    content = {"application/json": {"schema": schema}}
    value = {
        "openapi": version,
        "paths": {"/a": {"get": {"responses": {"200": {"content": content}, "404": {"content": content}}}}},
        "components": {"schemas": {"Item": ITEM, "Tree": TREE}},
    }
    document = parse(json.dumps(value).encode(), "openapi.json")
    validators = Validators(document)
    (operation,) = read_operations(document)
    for status, body in bodies:
        headers = {"content-type": "application/json"}
        answer = ApiResponse(status, None, headers, json.dumps(body).encode(), truncated=False, elapsed_ms=1.0)
        validators.validate(operation, answer)
    coverage = validators.coverage["GET /a"]
    return sorted(at for at, had in coverage.lists.items() if not had), sorted(coverage.additional)


CASES: list[tuple[str, Any, list[Any], list[str], list[str]]] = [
    ("an empty list", LIST, [[], []], [""], []),
    ("a list that once had an item", LIST, [[], [{"id": 1}]], [], []),
    ("a page", PAGE, [{"items": [], "total": 0}], ["/items"], []),
    ("a page with items", PAGE, [{"items": [{"id": 1, "tags": []}]}], [], []),
    ("a list of texts in an item", ITEM, [{"id": 1, "tags": []}], [], []),
    ("two lists", TWO, [{"one": [], "other": []}], [], []),
    ("a list of anything", {"type": "array", "items": {}}, [[]], [], []),
    ("a list of texts", {"type": "array", "items": {"type": "string"}}, [[]], [""], []),
    ("more fields", ITEM, [{"id": 1, "password": "x", "a/b": 1}], [], ["/a~1b", "/password"]),
    ("more fields of items", LIST, [[{"id": 1}, {"id": 2, "ssn": "5"}]], [], ["/*/ssn"]),
    ("fields that are allowed", OPEN, [{"id": 1, "password": "x"}], [], []),
    ("a map", MAP, [{"a": 1}], [], []),
    ("no schema of members", {"type": "object"}, [{"a": 1}], [], []),
    ("all of", ALL, [{"id": 1, "more": "x", "else": 1}], [], ["/else"]),
    ("one of", ANY, [{"name": "x"}, {"id": 1}], [], []),
    ("a tree", {"$ref": "#/components/schemas/Tree"}, [{"below": {"below": {"x": 1}}}], [], ["/below/below/x"]),
]


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_what_bodies_leave_unchecked(case: tuple[str, Any, list[Any], list[str], list[str]], version: str) -> None:
    _, schema, bodies, empty, additional = case
    assert look(schema, *((200, body) for body in bodies), version=version) == (empty, additional)


def test_bodies_of_refusals_cover_nothing() -> None:
    assert look(LIST, (404, [{"id": 1}]), (200, [])) == ([""], [])


def test_a_schema_that_combines_itself_and_a_huge_body_end() -> None:
    loop = {"$ref": "#/$defs/r0"}
    found = Coverage()
    again = {"anyOf": [loop, loop, ITEM], "properties": {"a": loop}, "items": {"allOf": [loop, loop]}}
    body: Any = [{"id": 1, "a": {"id": 1}}] * 300_000
    look_through(found, {**loop, "$defs": {"r0": again}}, body)
    assert not found.additional
    for _ in range(500):
        body = {"a": body}
    look_through(found, {**loop, "$defs": {"r0": again}}, body)
    assert not found.additional
