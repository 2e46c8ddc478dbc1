"""The ``validation`` of an argument or output, as a JSON Schema. Source: the third source document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_KEYWORDS = {
    "min": "minimum",
    "max": "maximum",
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
    "allowed_values": "enum",
}


def validation_schema(item: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Convert the ``validation`` of an argument or output to a JSON Schema; None without one."""
    rules = item.get("validation")
    return {_KEYWORDS[key]: value for key, value in rules.items()} if rules else None
