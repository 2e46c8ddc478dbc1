"""Make the OpenAPI document (version 3.1.1) of a set of operations, from the types of what they take and give."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import msgspec
from msgspec import Struct

from verigate import __version__
from verigate.serve.web.address_names import NAME
from verigate.serve.web.api.operations import Operation
from verigate.serve.web.problems import PREFIX, Problem

_REF = "#/components/schemas/{name}"
_PARAMETER = re.compile(r"\{(\w+)\}")
_PROBLEM = {"application/problem+json": {"schema": {"$ref": _REF.format(name="Problem")}}}
_LAST_SEEN = {
    "name": "Last-Event-ID",
    "in": "header",
    "required": False,
    "description": "The id of the last event that was seen; it comes before `after`.",
    "schema": {"type": "string"},
}


def make_document(operations: Sequence[Operation], *, reads_need_token: bool) -> dict[str, Any]:
    """Make the document. ``reads_need_token``: nothing can be read without it."""
    schemas = _make_schemas(operations)
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        described = _describe(operation, schemas, needs_token=operation.changes or reads_need_token)
        paths.setdefault(operation.template, {})[operation.method.lower()] = described
    queries = {operation.takes.__name__ for operation in operations}
    return {
        "openapi": "3.1.1",
        "info": {
            "title": "Verigate",
            "version": __version__,
            "summary": "Tasks of a verification gate, with their evidence.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": PREFIX}],
        "paths": paths,
        "components": {
            "schemas": {name: schema for name, schema in schemas.items() if name not in queries},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _make_schemas(operations: Iterable[Operation]) -> dict[str, Any]:
    types: dict[type[Struct], None] = {Problem: None}
    for operation in operations:
        types[operation.takes] = None
        types |= dict.fromkeys(filter(None, (operation.gives, operation.sends)))
    _, found = msgspec.json.schema_components(list(types), ref_template=_REF)
    queries = {operation.takes.__name__ for operation in operations}
    taken = {operation.sends.__name__ for operation in operations if operation.sends is not None}
    return {name: schema if name in queries | taken else _finish(schema) for name, schema in found.items()}


def _finish(schema: dict[str, Any]) -> dict[str, Any]:
    """Say that each field of an answer is there, which is so, whatever its default is when it is made."""
    if "description" in schema:
        schema["description"] = inspect.cleandoc(schema["description"]).replace("``", "`")
    if schema.get("type") == "object" and "properties" in schema:
        for field in schema["properties"].values():
            field.pop("default", None)
        schema["required"] = sorted(schema["properties"])
    return schema


def _describe(operation: Operation, schemas: Mapping[str, Any], *, needs_token: bool) -> dict[str, Any]:
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": _describe_name(name)}
        for name in _PARAMETER.findall(operation.template)
    ]
    for name, schema in schemas[operation.takes.__name__].get("properties", {}).items():
        text = {"description": schema["description"]} if "description" in schema else {}
        shown = {key: value for key, value in schema.items() if key != "description"}
        parameters.append({"name": name, "in": "query", "required": False, **text, "schema": shown})
    if operation.media_type == "text/event-stream":
        parameters.append(_LAST_SEEN)
    sent = {"schema": {"$ref": _REF.format(name=operation.sends.__name__)}} if operation.sends is not None else {}
    body = {"requestBody": {"required": True, "content": {operation.body: sent}}} if operation.body else {}
    refuses = {400, *operation.refuses, *((401,) if needs_token else ())}
    return {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.summary,
        "parameters": parameters,
        **body,
        "security": [{"token": []}] if needs_token else [{}, {"token": []}],
        "responses": {
            str(operation.status): _describe_answer(operation),
            **{
                str(status): {"description": HTTPStatus(status).phrase, "content": _PROBLEM}
                for status in sorted(refuses)
            },
            "default": {"description": "It was not done.", "content": _PROBLEM},
        },
    }


def _describe_answer(operation: Operation) -> dict[str, Any]:
    schema = {"$ref": _REF.format(name=operation.gives.__name__)} if operation.gives is not None else {}
    answer: dict[str, Any] = {"description": operation.summary, "content": {operation.media_type: {"schema": schema}}}
    if operation.status == 202:
        text = "Where to read how far it is."
        answer["headers"] = {"Location": {"required": True, "description": text, "schema": {"type": "string"}}}
    return answer


def _describe_name(name: str) -> dict[str, Any]:
    return {"type": "string", "minLength": 1} if name == "path" else {"type": "string", "pattern": f"^{NAME}$"}
