"""Find out what a schema says nothing of: items of a list that was always empty, and fields beyond it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from verigate.sdk.scopes import pointer

MAX_NODES = 200_000
"""Values of one body that are visited; what comes after isn't looked at."""

_MAX_DEPTH = 64
_COMBINED = ("allOf", "anyOf", "oneOf")
_CHECKED_NAMES = ("patternProperties", "propertyNames", "unevaluatedProperties")


class Coverage(Struct):
    """JSON pointers into bodies; the index of an item is ``*``.

    ``lists`` are the listings: arrays of objects that are a whole body, or the only such member of it. True means that
    it had an item. ``additional`` are members that the schema neither describes nor allows in words.
    """

    lists: dict[str, bool] = field(default_factory=dict)
    additional: set[str] = field(default_factory=set)


def look_through(coverage: Coverage, schema: Mapping[str, Any], value: Any) -> None:
    """Add what ``value``, a body that fits ``schema``, covers; ``schema`` is bundled: its references are to $defs."""
    walk = _Walk(schema.get("$defs", {}), coverage)
    parts = list(walk.parts(schema))
    if isinstance(value, list):
        walk.note_list("", parts, value)
    elif isinstance(value, dict):
        found = {name: inner for name, inner in value.items() if isinstance(inner, list)}
        listed = {name: below for name in found if walk.lists_objects(below := walk.below(parts, name))}
        if len(listed) == 1:
            (name, below) = next(iter(listed.items()))
            walk.note_list(pointer.join(name), below, found[name])
    walk.visit(parts, value, "", 0)


class _Walk:
    def __init__(self, definitions: Mapping[str, Any], coverage: Coverage) -> None:
        self._definitions = definitions
        self._coverage = coverage
        self._left = MAX_NODES

    def parts(self, schema: Any) -> Iterator[Mapping[str, Any]]:
        """Yield a schema and all that it refers to or combines, each once: any of them may describe the value."""
        waiting, seen = [schema], set[int]()
        while waiting:
            part = waiting.pop()
            if not isinstance(part, dict) or id(part) in seen:
                continue
            seen.add(id(part))
            yield part
            if isinstance(part.get("$ref"), str):
                waiting.append(self._definitions.get(part["$ref"].removeprefix("#/$defs/")))
            for key in _COMBINED:
                waiting += part[key] if isinstance(part.get(key), list) else ()
            waiting += [part.get(key) for key in ("if", "then", "else")]

    def below(self, parts: list[Mapping[str, Any]], name: str) -> list[Mapping[str, Any]]:
        """Return the schemas of a member."""
        return self._unite(_members(part).get(name) for part in parts)

    def items(self, parts: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """Return the schemas of the items of an array."""
        return self._unite(part.get("items") for part in parts)

    def _unite(self, schemas: Iterable[Any]) -> list[Mapping[str, Any]]:
        found = {id(part): part for schema in schemas for part in self.parts(schema)}
        return list(found.values())

    def lists_objects(self, parts: list[Mapping[str, Any]]) -> bool:
        """Whether the items are described as objects."""
        return any(part.get("type") == "object" or _members(part) for part in self.items(parts))

    def note_list(self, at: str, parts: list[Mapping[str, Any]], value: list[Any]) -> None:
        """Note whether a list has items, if its schema says anything of them."""
        if any(part.keys() - {"description", "title"} for part in self.items(parts)):
            self._coverage.lists[at] = self._coverage.lists.get(at, False) or bool(value)

    def visit(self, parts: list[Mapping[str, Any]], value: Any, at: str, depth: int) -> None:
        """Collect the members that no schema describes."""
        self._left -= 1
        if self._left < 0 or depth > _MAX_DEPTH:
            return
        if isinstance(value, list):
            below = self.items(parts)
            for item in value:
                self.visit(below, item, f"{at}/*", depth + 1)
        elif isinstance(value, dict):
            described = any(_members(part) for part in parts) and not any(map(_allows_more, parts))
            for name, item in value.items():
                known = any(name in _members(part) for part in parts)
                if described and not known:
                    self._coverage.additional.add(at + pointer.join(name))
                elif known:
                    self.visit(self.below(parts, name), item, at + pointer.join(name), depth + 1)


def _members(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    members = schema.get("properties")
    return members if isinstance(members, dict) else {}


def _allows_more(schema: Mapping[str, Any]) -> bool:
    """Whether the schema names further members in words, not by silence."""
    more = schema.get("additionalProperties")
    return more is True or isinstance(more, dict) or any(schema.get(key) for key in _CHECKED_NAMES)
