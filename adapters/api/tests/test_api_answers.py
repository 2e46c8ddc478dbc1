"""One answer against what is documented for it: what is a violation, where it stands, and what is none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from api_adapter.client import ApiResponse
from api_adapter.document import parse
from api_adapter.operations import read_operations
from api_adapter.percentiles import compute_percentile
from api_adapter.validation import Validators
from verigate.sdk import AdapterError

ITEM = {
    "type": "object",
    "required": ["id"],
    "properties": {
        "id": {"type": "integer"},
        "at": {"type": "string", "format": "date-time"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "password": {"type": "string", "writeOnly": True},
    },
    "additionalProperties": False,
}


def document(responses: Any, schema: Any = ITEM) -> Any:
    value = {
        "openapi": "3.0.3",
        "paths": {"/a": {"get": {"responses": responses}}},
        "components": {"schemas": {"Item": schema}},
    }
    return parse(json.dumps(value).encode(), "openapi.json")


RESPONSES = {
    "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}},
    "202": {"description": "empty"},
    "4XX": {"content": {"application/problem+json": {"schema": {"type": "object", "required": ["title"]}}}},
}
JSON = "application/json; charset=utf-8"

CASES: list[tuple[str, int, str, bytes, list[tuple[str, str]]]] = [
    ("fits", 200, JSON, b'{"id": 1, "at": "2024-01-01T00:00:00Z"}', []),
    ("wrong type", 200, JSON, b'{"id": "1"}', [("/id", "type")]),
    ("deep", 200, JSON, b'{"id": 1, "tags": ["a", 2]}', [("/tags/1", "type")]),
    ("missing", 200, JSON, b"{}", [("", "required")]),
    ("error body", 200, JSON, b'{"error": "no"}', [("", "additionalProperties"), ("", "required")]),
    ("format", 200, JSON, b'{"id": 1, "at": "yesterday"}', [("/at", "format")]),
    ("huge number", 200, JSON, b'{"id": 1' + b"0" * 400 + b"}", []),
    ("html", 200, "text/html", b"<h1>", [("", "content-type")]),
    ("no type", 200, "", b"{}", [("", "content-type")]),
    ("not json", 200, JSON, b"{", [("", "json")]),
    ("nan", 200, JSON, b'{"id": NaN}', [("", "json")]),
    ("half a character", 200, JSON, b'{"id": 1, "\\ud800": 1}', [("", "json")]),
    ("too deep", 200, JSON, b'{"id":' * 5000, [("", "json")]),
    ("no body promised", 202, "text/html", b"<h1>", []),
    ("undocumented success", 201, JSON, b"{}", [("", "status")]),
    ("undocumented failure", 500, JSON, b"{}", [("", "status")]),
    ("refusal by class", 404, "application/problem+json", b'{"title": "no"}', []),
    ("refusal of another shape", 422, "application/problem+json", b"{}", [("", "required")]),
]


def answer(status: int, media: str, body: bytes, *, truncated: bool = False) -> ApiResponse:
    return ApiResponse(status, None, {"content-type": media} if media else {}, body, truncated, 1.0)


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_violations_name_their_place(case: tuple[str, int, str, bytes, list[tuple[str, str]]]) -> None:
    _, status, media, body, violations = case
    described = document(RESPONSES)
    (operation,) = read_operations(described)
    held = Validators(described).validate(operation, answer(status, media, body))
    assert [(violation.pointer, violation.keyword) for violation in held.violations] == violations
    for violation in held.violations:
        assert violation.endpoint == "GET /a"
        assert violation.schema_pointer.startswith(("/paths/~1a/get/responses", "/components/schemas/Item/"))
        assert "yesterday" not in violation.message


def test_the_place_in_the_description_is_exact_and_what_is_only_written_isnt_asked_for() -> None:
    described = document(RESPONSES, {**ITEM, "required": ["id", "password"]})
    (operation,) = read_operations(described)
    held = Validators(described).validate(operation, answer(200, JSON, b'{"id": "1"}'))
    assert [violation.schema_pointer for violation in held.violations] == [
        "/components/schemas/Item/properties/id/type"
    ]


def test_an_undocumented_refusal_is_no_violation_and_no_success() -> None:
    described = document({"200": RESPONSES["200"]})
    (operation,) = read_operations(described)
    held = Validators(described).validate(operation, answer(404, "text/html", b"no"))
    assert (held.documented, held.checked, held.violations) == (False, False, ())


def test_what_is_too_large_to_be_read_is_not_known_to_fit() -> None:
    described = document(RESPONSES)
    (operation,) = read_operations(described)
    held = Validators(described).validate(operation, answer(200, JSON, b'{"id": 1', truncated=True))
    assert [violation.keyword for violation in held.violations] == ["size"]


@pytest.mark.parametrize("schema", [{"type": 3}, {"$ref": "https://example.com/other.json"}, {"$ref": "#/nowhere"}])
def test_a_broken_schema_is_an_error_and_nothing_is_fetched(schema: Any) -> None:
    described = document({"200": {"content": {"application/json": {"schema": schema}}}})
    (operation,) = read_operations(described)
    with pytest.raises(AdapterError):
        Validators(described).validate(operation, answer(200, JSON, b"{}"))


@pytest.mark.parametrize(
    ("count", "percents"), [(1, (1, 1, 1)), (2, (1, 2, 2)), (20, (10, 19, 20)), (100, (50, 95, 99))]
)
def test_percentiles_by_nearest_rank(count: int, percents: tuple[int, ...]) -> None:
    ordered = [float(value) for value in range(1, count + 1)]
    assert tuple(compute_percentile(ordered, percent) for percent in (50, 95, 99)) == percents
