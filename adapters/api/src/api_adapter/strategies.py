"""Convert JSON Schemas to hypothesis strategies; the caller validates each generated value against its schema.

The keywords ``not``, ``if``, ``contains``, ``dependent...`` and ``patternProperties`` are left to that validation, so
no value may be found for a schema that random values hardly ever match.
"""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Any

from hypothesis import strategies as st

Strategy = st.SearchStrategy[Any]
_PRINTABLE = st.characters(min_codepoint=0x20, max_codepoint=0x7E)
_LARGE = (1 << 31) - 1
_SPARE = 8
"""Maximum length of an unbounded text or array above its minimum length."""

_FORMATS: Mapping[str, Callable[[], Strategy]] = {
    "date-time": lambda: st.datetimes(timezones=st.just(UTC)).map(lambda at: at.isoformat().replace("+00:00", "Z")),
    "date": lambda: st.dates().map(str),
    "time": lambda: st.times().map(lambda at: f"{at.isoformat(timespec='seconds')}Z"),
    "uuid": lambda: st.uuids().map(str),
    "email": lambda: st.from_regex(r"[a-z]{1,8}@example\.com", fullmatch=True),
    "hostname": lambda: st.from_regex(r"[a-z]{1,8}\.example\.com", fullmatch=True),
    "ipv4": lambda: st.ip_addresses(v=4).map(str),
    "ipv6": lambda: st.ip_addresses(v=6).map(str),
    "uri": lambda: st.from_regex(r"https://example\.com/[a-z]{0,8}", fullmatch=True),
    "byte": lambda: st.binary(max_size=16).map(lambda raw: base64.b64encode(raw).decode("ascii")),
}
_BY_KEYWORD = (
    ("object", {"properties", "required", "additionalProperties", "minProperties"}),
    ("array", {"items", "prefixItems", "minItems", "maxItems", "uniqueItems"}),
    ("string", {"pattern", "minLength", "maxLength", "format"}),
    ("number", {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
)


class Strategies:
    """Makes strategies for one schema and its ``$defs``."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._definitions: Mapping[str, Any] = root.get("$defs", {})
        self._referred: dict[str, Strategy] = {}

    def of(self, schema: Any) -> Strategy:
        """Make a strategy whose values are likely to match ``schema``."""
        if not isinstance(schema, dict):
            return st.text(_PRINTABLE, max_size=_SPARE) if schema is not False else st.nothing()
        if "const" in schema:
            return st.just(schema["const"])
        if isinstance(schema.get("enum"), list):
            return st.sampled_from(schema["enum"])
        for key in ("allOf", "anyOf", "oneOf"):
            if isinstance(schema.get(key), list) and schema[key]:
                return self._combine(schema, key)
        if isinstance(schema.get("$ref"), str):
            return self._reference(schema["$ref"])
        kinds = schema.get("type")
        kinds = kinds if isinstance(kinds, list) else [kinds or _guess_type(schema)]
        return st.one_of([self._for_type(kind, schema) for kind in kinds])

    def _reference(self, reference: str) -> Strategy:
        name = reference.removeprefix("#/$defs/")
        if name not in self._referred:
            # Defer, since a definition may refer to itself.
            self._referred[name] = st.deferred(lambda: self.of(self._definitions.get(name, False)))
        return self._referred[name]

    def _combine(self, schema: Mapping[str, Any], key: str) -> Strategy:
        rest = {name: value for name, value in schema.items() if name != key}
        if key == "allOf":
            merged: dict[str, Any] = rest
            for part in schema[key]:
                merged = _merge(merged, self._resolve(part))
            return self.of(merged)
        return st.one_of([self.of(_merge(rest, self._resolve(part))) for part in schema[key]])

    def _resolve(self, schema: Any, depth: int = 16) -> Mapping[str, Any]:
        while isinstance(schema, dict) and isinstance(schema.get("$ref"), str) and depth:
            siblings = {key: value for key, value in schema.items() if key != "$ref"}
            target = self._definitions.get(schema["$ref"].removeprefix("#/$defs/"), {})
            schema = _merge(siblings, target if isinstance(target, dict) else {})
            depth -= 1
        return schema if isinstance(schema, dict) else {}

    def _for_type(self, kind: Any, schema: Mapping[str, Any]) -> Strategy:
        if kind == "object":
            return self._object(schema)
        if kind == "array":
            return self._array(schema)
        if kind in {"integer", "number"}:
            return _number(schema, whole=kind == "integer")
        if kind == "boolean":
            return st.booleans()
        return st.none() if kind == "null" else _text(schema)

    def _object(self, schema: Mapping[str, Any]) -> Strategy:
        properties = schema.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        required = [str(name) for name in schema.get("required", ())]
        fixed = {name: self.of(properties.get(name, True)) for name in required}
        optional = {
            name: self.of(inner)
            for name, inner in properties.items()
            if name not in fixed and not (isinstance(inner, dict) and inner.get("readOnly") is True)
        }
        return st.fixed_dictionaries(fixed, optional={name: s for name, s in optional.items() if not s.is_empty})

    def _array(self, schema: Mapping[str, Any]) -> Strategy:
        least = int(schema.get("minItems", 0))
        most = min(int(schema.get("maxItems", least + _SPARE)), least + _SPARE)
        unique = _as_text if schema.get("uniqueItems") is True else None
        return st.lists(self.of(schema.get("items", True)), min_size=least, max_size=most, unique_by=unique)


def _as_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _merge(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Merge two schemas as far as keywords can be combined: properties, required, limits."""
    merged = {**one, **other}
    for key in ("properties", "$defs"):
        if key in one and key in other:
            merged[key] = {**one[key], **other[key]}
    if "required" in one and "required" in other:
        merged["required"] = list(dict.fromkeys([*one["required"], *other["required"]]))
    for key, choose in (("minimum", max), ("minLength", max), ("minItems", max), ("maximum", min), ("maxLength", min)):
        if key in one and key in other:
            merged[key] = choose(one[key], other[key])
    for key in ("allOf", "anyOf", "oneOf"):
        if key in one and key in other and key == "allOf":
            merged[key] = [*one[key], *other[key]]
    return merged


def _guess_type(schema: Mapping[str, Any]) -> str:
    return next((kind for kind, keywords in _BY_KEYWORD if keywords & schema.keys()), "string")


def _number(schema: Mapping[str, Any], *, whole: bool) -> Strategy:
    step = schema.get("multipleOf")
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if not whole and step is None:
        least = above if above is not None else low
        most = below if below is not None else high
        return st.floats(
            min_value=-1e6 if least is None and (most is None or most > -1e6) else least,
            max_value=1e6 if most is None and (least is None or least < 1e6) else most,
            exclude_min=above is not None,
            exclude_max=below is not None,
            allow_nan=False,
            allow_infinity=False,
        )
    unit = step if isinstance(step, int | float) and step > 0 else 1
    least = max([-_LARGE if low is None else low] + ([] if above is None else [above + 1e-9]))
    most = min([_LARGE if high is None else high] + ([] if below is None else [below - 1e-9]))
    if low is None and above is None and high is not None and high < -_LARGE:
        least = high - _LARGE
    if high is None and below is None and least > _LARGE:
        most = least + _LARGE
    return st.integers(math.ceil(least / unit), math.floor(most / unit)).map(lambda count: count * unit)


def _text(schema: Mapping[str, Any]) -> Strategy:
    least = int(schema.get("minLength", 0))
    most = int(schema.get("maxLength", least + 2 * _SPARE))
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        # Match only the end of the text; Python's $ also matches before a final line break.
        exact = re.sub(r"(?<!\\)\$$", r"\\Z", pattern)
        return st.from_regex(exact, alphabet=_PRINTABLE).filter(lambda text: least <= len(text) <= max(most, 64))
    made = _FORMATS.get(str(schema.get("format")))
    return made() if made is not None else st.text(_PRINTABLE, min_size=least, max_size=max(most, least))
