"""Descriptions of three dialects, in JSON and YAML, come out as the same operations; broken ones are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from api_adapter.document import Document, parse
from api_adapter.operations import Operation, read_operations
from api_adapter.schemas import to_json_schema
from api_adapter.schemes import read_schemes
from verigate.sdk import AdapterError

OPENAPI_31: dict[str, Any] = {
    "openapi": "3.1.0",
    "servers": [{"url": "https://api.example.com/v1/"}],
    "security": [{"key": []}],
    "paths": {
        "/items/{id}": {
            "parameters": [{"$ref": "#/components/parameters/Id"}],
            "get": {
                "parameters": [
                    {"name": "tag", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}}
                ],
                "responses": {"200": {"$ref": "#/components/responses/Item"}, "4XX": {"description": "no"}},
            },
            "put": {
                "security": [],
                "requestBody": {"required": True, "content": {"application/json": {"schema": {"type": "object"}}}},
                "responses": {"default": {"description": "any"}},
            },
        },
        "x-not-a-path": {"get": {}},
    },
    "components": {
        "parameters": {"Id": {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}},
        "responses": {
            "Item": {
                "description": "ok",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}},
            }
        },
        "schemas": {"Item": {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Item"}}}},
        "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}},
    },
}
SWAGGER_2 = """
swagger: "2.0"
basePath: /v1
produces: [application/json]
consumes: [application/json]
security: [{key: []}]
securityDefinitions: {key: {type: apiKey, in: header, name: X-Key}}
paths:
  /items/{id}:
    parameters: [{name: id, in: path, required: true, type: integer}]
    get:
      parameters: [{name: tag, in: query, type: array, items: {type: string}, collectionFormat: multi}]
      responses: {200: {description: ok, schema: {$ref: '#/definitions/Item'}}}
    put:
      security: []
      parameters: [{name: body, in: body, required: true, schema: {type: object}}]
      responses: {default: {description: any}}
definitions:
  Item: {type: object, properties: {since: {type: string, x-nullable: true, example: 2024-01-01}}}
"""


def doc(value: Any) -> Document:
    return parse(json.dumps(value).encode(), "openapi.json")


def by_id(document: Document) -> dict[str, Operation]:
    return {operation.id: operation for operation in read_operations(document)}


@pytest.mark.parametrize("document", [doc(OPENAPI_31), parse(SWAGGER_2.encode(), "swagger.yaml")], ids=["3.1", "2.0"])
def test_the_same_api_in_two_dialects(document: Document) -> None:
    found = by_id(document)
    assert sorted(found) == ["GET /v1/items/{id}", "PUT /v1/items/{id}"]
    get, put = found["GET /v1/items/{id}"], found["PUT /v1/items/{id}"]
    assert [(p.name, p.place, p.required, p.explode) for p in get.parameters] == [
        ("id", "path", True, False),
        ("tag", "query", False, True),
    ]
    assert (get.protected, put.protected) == (True, False)
    assert get.responses["200"].content.keys() == {"application/json"}
    assert put.body is not None
    assert put.body.required
    assert read_schemes(document)["key"].as_fact() == {
        "name": "key",
        "type": "apiKey",
        "in": "header",
        "parameter": "X-Key",
    }


def test_json_and_yaml_of_one_document_have_one_digest() -> None:
    import yaml

    text = yaml.safe_dump(OPENAPI_31)
    assert parse(text.encode(), "openapi.yaml").digest == doc(OPENAPI_31).digest


def test_a_date_in_yaml_stays_a_text_and_a_status_a_key() -> None:
    document = parse(SWAGGER_2.encode(), "swagger.yaml")
    assert document.value["definitions"]["Item"]["properties"]["since"]["example"] == "2024-01-01"
    assert "200" in document.value["paths"]["/items/{id}"]["get"]["responses"]


BROKEN = [
    (b"[1]", "a.json", "not an object"),
    (b"{", "a.json", "is not JSON"),
    (b"a: [", "a.yaml", "neither JSON nor YAML"),
    (b"{}", "a.json", "unsupported version .*: ''"),
    (b'{"openapi": "2.9"}', "a.json", "unsupported version .*: '2.9'"),
    (b'{"openapi": "3.0.1", "paths": []}', "a.json", "paths is not an object"),
    (b"[" * 100_000, "a.json", "nested too deeply"),
    pytest.param(b"a: &a [x, x, x, x, x, x, x, x, x, x]\n"
     + b"".join(b"%c: &%c [%s]\n" % (c + 1, c + 1, b", ".join([b"*%c" % c] * 10)) for c in range(97, 105)),
     "a.yaml", "aliases", marks=pytest.mark.slow),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "place", "said"), BROKEN, ids=[case[2] for case in BROKEN])
def test_what_is_no_description_is_refused(raw: bytes, place: str, said: str) -> None:
    with pytest.raises(AdapterError, match=said):
        parse(raw, place)


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("#/nowhere", "points to a missing value"),
        ("other.yaml#/a", "points outside"),
        ("#/paths/~1a", "refers to itself"),
    ],
)
def test_references_that_lead_nowhere_out_or_around(reference: str, said: str) -> None:
    with pytest.raises(AdapterError, match=said):
        read_operations(doc({"openapi": "3.0.0", "paths": {"/a": {"$ref": reference}}}))


def test_the_words_of_openapi_30_become_json_schema() -> None:
    old = doc({"openapi": "3.0.3", "paths": {}})
    schema = {
        "type": "object",
        "required": ["id", "secret"],
        "properties": {
            "id": {"type": "integer", "minimum": 0, "exclusiveMinimum": True, "nullable": True, "readOnly": True},
            "secret": {"type": "string", "writeOnly": True, "enum": ["a"], "nullable": True},
            "any": {"oneOf": [{"type": "string"}], "nullable": True},
        },
    }
    made = to_json_schema(old, schema, "response")
    assert made["required"] == ["id"]
    assert made["properties"]["id"] == {"type": ["integer", "null"], "exclusiveMinimum": 0, "readOnly": True}
    assert made["properties"]["secret"]["enum"] == ["a", None]
    assert made["properties"]["any"] == {"anyOf": [{"oneOf": [{"type": "string"}]}, {"type": "null"}]}
    assert to_json_schema(old, schema, "request")["required"] == ["secret"]


def test_references_are_bundled_once_also_around() -> None:
    made = to_json_schema(doc(OPENAPI_31), {"$ref": "#/components/schemas/Item"}, "response")
    assert made["$ref"] == "#/$defs/r0"
    assert made["$defs"] == {"r0": {"type": "object", "properties": {"next": {"$ref": "#/$defs/r0"}}}}


def test_a_property_named_like_a_keyword_is_a_property() -> None:
    schema = {"type": "object", "properties": {"example": {"type": "string"}, "nullable": {"type": "boolean"}}}
    made = to_json_schema(doc({"openapi": "3.0.3", "paths": {}}), schema, "response")
    assert made["properties"] == {"example": {"type": "string"}, "nullable": {"type": "boolean"}}
