"""Descriptions of APIs that grow: operations, schemas and answers are read in time of their length."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from growing import require_linear

from api_adapter.document import parse
from api_adapter.operations import read_operations
from api_adapter.schemas import to_json_schema
from api_adapter.schemes import read_schemes


def answer(schema: Any) -> dict[str, Any]:
    return {"200": {"description": "d", "content": {"application/json": {"schema": schema}}}}


def describe(paths: dict[str, Any], **components: Any) -> dict[str, Any]:
    head = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}}
    return {**head, "paths": paths, "components": components}


def make_paths(number: int) -> dict[str, Any]:
    return describe({f"/items{i}/{{id}}": {"get": {"responses": answer({"type": "object"})}} for i in range(number)})


def make_shared_schemas(number: int) -> dict[str, Any]:
    schemas = {f"S{i}": {"type": "object", "properties": {"a": {"type": "string"}}} for i in range(number)}
    paths = {f"/i{i}": {"get": {"responses": answer({"$ref": f"#/components/schemas/S{i}"})}} for i in range(number)}
    return describe(paths, schemas=schemas)


def make_chain(number: int) -> dict[str, Any]:
    schemas: dict[str, Any] = {
        f"S{i}": {"type": "object", "properties": {"next": {"$ref": f"#/components/schemas/S{i + 1}"}}}
        for i in range(number)
    }
    schemas[f"S{number}"] = {"type": "string"}
    paths = {"/first": {"get": {"responses": answer({"$ref": "#/components/schemas/S0"})}}}
    return describe(paths, schemas=schemas)


def make_properties(number: int) -> dict[str, Any]:
    schema = {"type": "object", "properties": {f"p{i}": {"type": "string", "nullable": True} for i in range(number)}}
    return describe({"/one": {"get": {"responses": answer(schema)}}})


def make_parameters(number: int) -> dict[str, Any]:
    listed = [{"name": f"p{i}", "in": "query", "schema": {"type": "string"}} for i in range(number)]
    return describe({"/one": {"get": {"parameters": listed, "responses": answer({})}}})


def make_schemes(number: int) -> dict[str, Any]:
    schemes = {f"k{i}": {"type": "apiKey", "in": "header", "name": f"X-{i}"} for i in range(number)}
    return describe({"/one": {"get": {"security": [{name: []} for name in schemes]}}}, securitySchemes=schemes)


def read(document: dict[str, Any]) -> None:
    found = parse(json.dumps(document).encode(), "openapi.json")
    operations = read_operations(found)
    assert operations
    read_schemes(found)
    for operation in operations:
        for documented in operation.responses.values():
            for schema in documented.content.values():
                to_json_schema(found, schema, "response")


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [make_paths, make_shared_schemas, make_chain, make_properties, make_parameters, make_schemes],
    ids=lambda each: each.__name__,
)
def test_a_description_is_read_in_time_of_its_length(make: Callable[[int], dict[str, Any]]) -> None:
    require_linear(lambda number: read(make(number)), 1500, make.__name__)
