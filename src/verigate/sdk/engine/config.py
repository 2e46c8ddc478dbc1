"""Read a value of an engine's configuration, which anybody may have written, by its type."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, overload

from verigate.errors import UsageError


class EngineConfigError(UsageError):
    """A value of the configuration has another type than the engine takes. The message names the key."""

    code = "CONFIGURATION"


@overload
def as_string(config: Mapping[str, Any], key: str, default: str) -> str: ...


@overload
def as_string(config: Mapping[str, Any], key: str, default: None = None) -> str | None: ...


def as_string(config: Mapping[str, Any], key: str, default: str | None = None) -> str | None:
    """Return the text at ``key``; the default if it isn't there, is null or blank. Raises EngineConfigError."""
    value = config.get(key)
    if value is None:
        return default
    if not isinstance(value, str):
        raise _wrong(key, "a text", value)
    return value.strip() or default


@overload
def as_number(config: Mapping[str, Any], key: str, default: float) -> float: ...


@overload
def as_number(config: Mapping[str, Any], key: str, default: None = None) -> float | None: ...


def as_number(config: Mapping[str, Any], key: str, default: float | None = None) -> float | None:
    """Return the finite number at ``key``, the default if it isn't there or null. Raises EngineConfigError."""
    value = config.get(key)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _wrong(key, "a number", value)
    return float(value)


def as_boolean(config: Mapping[str, Any], key: str, *, default: bool = False) -> bool:
    """Return the boolean at ``key``, the default if it isn't there or null. Raises EngineConfigError."""
    value = config.get(key)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise _wrong(key, "true or false", value)
    return value


def as_words(config: Mapping[str, Any], key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the list of texts at ``key``, as of an argument vector. Raises EngineConfigError."""
    value = config.get(key)
    if value is None:
        return default
    if not isinstance(value, list | tuple) or not all(isinstance(word, str) for word in value):
        raise _wrong(key, "a list of texts", value)
    return tuple(value)


def _wrong(key: str, wanted: str, value: Any) -> EngineConfigError:
    # The value isn't repeated: somebody may have put a secret where it doesn't belong.
    hint = f"set {key} to {wanted} in the engine's options"
    return EngineConfigError(f"{key} has to be {wanted}, and is a {type(value).__name__}", where=key, hint=hint)
