"""Options of an engine for one run: ``gate verify --engine-set KEY=VALUE``. They come before every other source.

What is started, with which variables, and where a request goes are set in the user's file alone: who calls the gate
may be the one who is judged.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from verigate.errors import UsageError
from verigate.formats.near_names import suggest_nearest
from verigate.processes.environment import is_secret_name

KEYS = ("grace_s", "model", "session", "silence_s", "timeout_s")
"""Options that a run may set, next to the members of ``settings``."""

_SETTINGS = "settings."
_WHERE = "--engine-set"
_LONGEST = 10_000


def parse_overrides(words: Iterable[str]) -> dict[str, Any]:
    """Parse ``KEY=VALUE`` words to options; a VALUE that is JSON is that value, any other a text. Raises UsageError.

    ``settings.a.b=1`` sets a member of the engine's own configuration.
    """
    found: dict[str, Any] = {}
    for word in words:
        key, separator, text = word.partition("=")
        if not separator or len(word) > _LONGEST:
            raise UsageError(f"{word[:60]!r} is not KEY=VALUE", where=_WHERE, hint="as in model=NAME")
        _put(found, _split_key(key), _parse_value(text))
    return found


def _split_key(key: str) -> list[str]:
    parts = key.split(".")
    if key.startswith(_SETTINGS) and all(parts):
        return parts
    if key in KEYS:
        return [key]
    hint = suggest_nearest(key, KEYS) or f"set {', '.join(KEYS)} or settings.NAME; all else in engines.json"
    raise UsageError(f"{key[:60]!r} can't be set for a run", where=_WHERE, hint=hint)


def _put(table: dict[str, Any], parts: list[str], value: Any) -> None:
    *outer, last = parts
    for part in outer:
        inner = table.setdefault(part, {})
        if not isinstance(inner, dict):
            raise UsageError(f"{'.'.join(parts)[:60]} is below a value", where=_WHERE, hint="set one of the two")
        table = inner
    table[last] = value


def _parse_value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def apply_overrides(config: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``config`` with the overrides: tables merge, all else is replaced; null stays, to take a key out."""
    made = dict(config)
    for key, value in overrides.items():
        before = made.get(key)
        both = isinstance(value, Mapping) and isinstance(before, Mapping)
        made[key] = apply_overrides(before, value) if both and before is not None else value
    return made


def list_overrides(overrides: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """List the overrides flat, by their keys as they are written, without values that look like secrets."""
    found: dict[str, Any] = {}
    for key, value in overrides.items():
        if isinstance(value, Mapping) and value:
            found |= list_overrides(value, f"{prefix}{key}.")
        else:
            found[f"{prefix}{key}"] = "[redacted]" if prefix and is_secret_name(key) else value
    return found
