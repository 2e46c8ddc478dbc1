"""Parse units in plain English, by libraries that are loaded on demand: most requests use the tools' own units."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

_SPOKEN = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,6})? [A-Za-z]{1,20}(?: per [A-Za-z]{1,20})?")
"""A number and a unit, and nothing that could be arithmetic."""


def parse_duration(text: str) -> str | None:
    """Parse ``2 minutes 30 seconds`` into seconds; None if it isn't a duration."""
    from pytimeparse2 import parse

    try:
        seconds = parse(text.replace(" and ", " "))
    except (ValueError, OverflowError):
        return None
    return None if seconds is None or not isinstance(seconds, int | float) or seconds < 0 else f"{seconds:g}"


def parse_quantity(text: str, units: Mapping[str, str]) -> str | None:
    """Convert ``2 megabits per second`` to the first of ``units`` that gives a whole number, else to any that fits.

    Only between units of a declared dimension: a percentage, an angle or a bare number is none, and is never converted.
    """
    declared = tuple(unit for unit in units if unit)
    if not declared or _SPOKEN.fullmatch(text) is None:
        return None
    return _convert_quantity(text, declared)


@cache
def _convert_quantity(text: str, units: tuple[str, ...]) -> str | None:
    import pint

    try:
        spoken: Any = _load_registry().parse_expression(text)
        if not hasattr(spoken, "to") or spoken.dimensionless:
            return None
        fitting = []
        for unit in units:
            if _counts_data(str(spoken.units)) != _counts_data(_ASKED.get(unit, unit)):
                continue  # pint knows bits and frames as bare numbers: 30 frames a second are no 30 bits
            try:
                value = spoken.to(_ASKED.get(unit, unit)).magnitude
            except (pint.errors.PintError, AttributeError, TypeError, ValueError):
                continue
            fitting.append((float(value), unit))
    except Exception:  # noqa: BLE001 - whatever a parser of arithmetic finds in words: it is no quantity
        return None
    whole = [each for each in fitting if each[0] == int(each[0])]
    for value, unit in (*whole, *fitting):
        return f"{value:.15g}{unit}"
    return None


def _counts_data(unit: str) -> bool:
    return "bit" in unit.lower() or "byte" in unit.lower() or unit in {"B", "kB", "KB", "MB", "GB", "TB"}


_ASKED = {"fps": "1/s", "Mbps": "Mbit/s", "kbps": "kbit/s", "bps": "bit/s", "Mb/s": "Mbit/s", "kb/s": "kbit/s"}
"""What tools write, as pint's registry knows it."""


@cache
def _load_registry() -> Any:
    import pint

    registry: Any = pint.UnitRegistry()
    registry.define("frame = [] = frames")
    return registry
