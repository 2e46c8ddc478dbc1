"""Options of a tool by dotted path, whatever file they come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Options = dict[str, Any]
"""Dotted path -> scalar or list of scalars."""


def flatten(document: Mapping[Any, Any]) -> Options:
    """Flatten nested tables into options."""
    found: Options = {}
    stack: list[tuple[str, Any]] = [("", document)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, dict):
            stack.extend((f"{path}.{key}" if path else str(key), item) for key, item in value.items())
        elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
            for item in value:
                # A list of tables (mypy overrides, jest projects, eslint overrides) is keyed by what it applies to.
                named = item if isinstance(item, dict) else {"": item}
                label = named.get("module") or named.get("files") or named.get("displayName") or ""
                stack.append((f"{path}.[{label}]", item if isinstance(item, dict) else {"value": item}))
        elif path in found and isinstance(found[path], list) and isinstance(value, list):
            found[path] = [*found[path], *value]
        else:
            found[path] = value
    return found
