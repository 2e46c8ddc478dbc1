"""Merge one JSON object into another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def merge_objects(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Merge ``over`` into ``base``: objects are merged key by key, everything else is replaced."""
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        both = isinstance(value, Mapping) and isinstance(below, Mapping)
        merged[key] = merge_objects(below, value) if both else value  # type: ignore[arg-type]
    return merged
