"""Describe an engine's options as JSON Schema, from the type that reads them: what a form for them is made of."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from msgspec import Struct


def make_options_schema(
    options: type[Struct], *, leave: Collection[str], add: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Make a schema that stands alone. ``leave`` are fields that no user sets, ``add`` options that aren't fields."""
    schema = msgspec.json.schema(options)
    definitions = dict(schema["$defs"])
    found = dict(definitions.pop(options.__name__))
    properties = {name: value for name, value in found["properties"].items() if name not in leave}
    found["properties"] = {**properties, **(add or {})}
    return {**found, "$defs": definitions} if definitions else found
