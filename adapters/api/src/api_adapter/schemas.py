"""Convert schemas of a description to JSON Schema: bundle references, translate keywords of older dialects.

Sources: OpenAPI 3.0.4 section 4.8.24 (Schema Object), Swagger 2.0, JSON Schema 2020-12.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from api_adapter.document import Document

Direction = Literal["request", "response"]
_DRAFTS = {
    "2.0": "http://json-schema.org/draft-07/schema#",
    "3.0": "http://json-schema.org/draft-07/schema#",
    "3.1": "https://json-schema.org/draft/2020-12/schema",
}
_BY_NAME = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_AS_WRITTEN = frozenset({"enum", "const", "default", "required", "examples", "example"})
_DROPPED = frozenset(
    {"example", "examples", "xml", "externalDocs", "discriminator", "$schema", "$id", "collectionFormat"}
)


def to_json_schema(document: Document, schema: Any, direction: Direction) -> dict[str, Any]:
    """Convert ``schema`` with all it refers to into one JSON Schema. Raises AdapterError for broken references."""
    return bundle_schema(document, schema, direction)[0]


def bundle_schema(document: Document, schema: Any, direction: Direction) -> tuple[dict[str, Any], dict[str, str]]:
    """Convert like ``to_json_schema``; also return the origin of each of its ``$defs``: name -> JSON pointer."""
    bundle = _Bundle(document, direction)
    converted = bundle.convert(schema if isinstance(schema, dict | bool) else {})
    if isinstance(converted, bool):
        converted = {} if converted else {"not": {}}
    bundle.finish()
    whole = {"$schema": _DRAFTS[document.dialect], **converted}
    if bundle.defs:
        whole["$defs"] = {**whole.get("$defs", {}), **bundle.defs}
    return whole, {name: reference.removeprefix("#") for reference, name in bundle.names.items()}


class _Bundle:
    def __init__(self, document: Document, direction: Direction) -> None:
        self._document = document
        self._direction = direction
        self._old = document.dialect != "3.1"
        self.names: dict[str, str] = {}
        self._open: list[str] = []
        self.defs: dict[str, Any] = {}

    def finish(self) -> None:
        """Convert all referenced schemas, including indirectly referenced ones."""
        while self._open:
            reference = self._open.pop()
            self.defs[self.names[reference]] = self.convert(self._document.at(reference))

    def convert(self, node: Any) -> Any:
        if not isinstance(node, dict):
            return node
        if isinstance(node.get("$ref"), str):
            reference = {"$ref": f"#/$defs/{self._name(node['$ref'])}"}
            siblings = {key: value for key, value in node.items() if key != "$ref"}
            # The older dialects ignore the siblings of a reference.
            return reference if self._old or not siblings else {"allOf": [reference, self.convert(siblings)]}
        made = {key: self._member(key, value) for key, value in node.items() if key not in _DROPPED}
        if self._old:
            made = _translate(made)
        return self._drop_other_direction(node, made)

    def _name(self, reference: str) -> str:
        if reference not in self.names:
            self._document.at(reference)
            self.names[reference] = f"r{len(self.names)}"
            self._open.append(reference)
        return self.names[reference]

    def _member(self, key: str, value: Any) -> Any:
        if key in _AS_WRITTEN:
            return value
        if key in _BY_NAME and isinstance(value, dict):
            return {name: self.convert(inner) for name, inner in value.items()}
        if isinstance(value, list):
            return [self.convert(inner) for inner in value]
        return self.convert(value)

    def _drop_other_direction(self, node: Mapping[str, Any], made: dict[str, Any]) -> dict[str, Any]:
        """Drop readOnly properties from what a request requires, and writeOnly ones from a response."""
        required, properties = node.get("required"), node.get("properties")
        if not isinstance(required, list) or not isinstance(properties, dict):
            return made
        mark = "writeOnly" if self._direction == "response" else "readOnly"
        other = {
            name
            for name, schema in properties.items()
            if isinstance(resolved := self._document.follow(schema), dict) and resolved.get(mark) is True
        }
        if other:
            made["required"] = [name for name in required if name not in other]
        return made


def _translate(schema: dict[str, Any]) -> dict[str, Any]:
    """Translate nullable, boolean exclusiveMinimum and exclusiveMaximum, and type file."""
    nullable = schema.pop("nullable", False) is True or schema.pop("x-nullable", False) is True
    for limit, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        flag = schema.get(exclusive)
        if isinstance(flag, bool):
            del schema[exclusive]
            if flag and limit in schema:
                schema[exclusive] = schema.pop(limit)
    if schema.get("type") == "file":
        del schema["type"]
    if not isinstance(schema.get("required", []), list):
        del schema["required"]
    if not nullable:
        return schema
    if isinstance(schema.get("type"), str):
        schema["type"] = [schema["type"], "null"]
        if isinstance(schema.get("enum"), list) and None not in schema["enum"]:
            schema["enum"] = [*schema["enum"], None]
        return schema
    return {"anyOf": [schema, {"type": "null"}]}
