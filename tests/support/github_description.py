"""Hold requests and answers against GitHub's own description of its REST API (OpenAPI 3.0)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema_rs


class Exchange(NamedTuple):
    """A request and its answer; bodies are JSON values, None without one."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    body: Any
    status: int
    answer: Any


class GithubDescription:
    """The description in ``file``. Names of a repository are its parameters in paths."""

    def __init__(self, file: Path) -> None:
        self._document = json.loads(file.read_bytes())
        self._paths = {
            re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))): operations
            for path, operations in self._document["paths"].items()
            if "/issues/" in path and "comments" in path
        }

    def find_faults(self, exchange: Exchange) -> Iterator[str]:
        """Yield what is wrong with a request and its answer. Errors are described for few operations."""
        name, body, answer = f"{exchange.method} {exchange.path}", exchange.body, exchange.answer
        found = [
            each[exchange.method.lower()] for pattern, each in self._paths.items() if pattern.fullmatch(exchange.path)
        ]
        if len(found) != 1:
            yield f"{name} is {len(found)} operations"
            return
        (operation,) = found
        yield from (f"{name}: {fault}" for fault in self._find_query_faults(operation, exchange.query))
        if "requestBody" in operation:
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            yield from (f"{name}: {fault}" for fault in self._validate(schema, body))
        elif body is not None:
            yield f"{name} takes no body"
        if exchange.status >= 400:
            return
        if str(exchange.status) not in operation["responses"]:
            yield f"{name} never answers {exchange.status}"
            return
        content = self._resolve(operation["responses"][str(exchange.status)]).get("content")
        if content is not None:
            schema = content["application/json"]["schema"]
            yield from (f"{name} answers: {fault}" for fault in self._validate(schema, answer))
        elif answer is not None:
            yield f"{name}: {exchange.status} has no body"

    def _find_query_faults(self, operation: Any, query: Mapping[str, list[str]]) -> Iterator[str]:
        parameters = {each["name"]: each for each in map(self._resolve, operation.get("parameters", ()))}
        for name, values in query.items():
            if parameters.get(name, {}).get("in") != "query":
                yield f"there is no parameter {name}"
            elif parameters[name]["schema"].get("type") == "integer" and not values[0].isdecimal():
                yield f"{name} is {values[0]!r}"

    def _validate(self, schema: Any, value: Any) -> Iterator[str]:
        whole = self._expand(schema, ())
        for fault in jsonschema_rs.validator_for(whole).iter_errors(value):
            yield f"{fault.message} at {fault.instance_path}"

    def _resolve(self, node: Any) -> Any:
        while "$ref" in node:
            found = self._document
            for part in node["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            node = found
        return node

    def _expand(self, node: Any, above: tuple[str, ...]) -> Any:
        """Resolve references, and say ``nullable`` as JSON Schema does. What contains itself is left open."""
        if isinstance(node, list):
            return [self._expand(each, above) for each in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            name = node["$ref"]
            return {} if name in above else self._expand(self._resolve(node), (*above, name))
        made = {
            key: {name: self._expand(each, above) for name, each in value.items()}
            if key == "properties"
            else self._expand(value, above)
            for key, value in node.items()
            if key not in {"nullable", "example", "examples", "description", "discriminator"}
        }
        return {"anyOf": [{"type": "null"}, made]} if node.get("nullable") is True else made
