"""The values of slots: text, or what a configuration holds -> a value, one parsing behaviour for each type."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from verigate.formats.near_names import suggestion
from verigate.tools.model import Slot, SlotType

if TYPE_CHECKING:
    from decimal import Decimal

LONGEST = 32_768
"""Characters of one value; more is no file's name, and execve(2) takes 128 KiB a word."""


class ValueFault(ValueError):  # noqa: N818 - what is wrong with a value, as a Fault is with a file
    """Text that is no value of its slot's type; the message says why, ``hint`` what would be."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class Quantity(NamedTuple):
    """A number and its unit, as the slot spells it; the unit is empty for a bare number."""

    value: Decimal
    unit: str = ""


class Dimensions(NamedTuple):
    """Width and height, in the same unit."""

    width: int
    height: int


class Timestamp(NamedTuple):
    """A point in time or an offset, in seconds from the start."""

    seconds: Decimal


Value = str | bool | int | Quantity | Dimensions | Timestamp

SHORTHAND: Mapping[str, tuple[int, int]] = {
    "144p": (256, 144),
    "240p": (426, 240),
    "360p": (640, 360),
    "480p": (854, 480),
    "540p": (960, 540),
    "576p": (1024, 576),
    "720p": (1280, 720),
    "900p": (1600, 900),
    "1080p": (1920, 1080),
    "1440p": (2560, 1440),
    "2160p": (3840, 2160),
    "4320p": (7680, 4320),
    "qvga": (320, 240),
    "vga": (640, 480),
    "svga": (800, 600),
    "xga": (1024, 768),
    "sxga": (1280, 1024),
    "uxga": (1600, 1200),
    "hd": (1280, 720),
    "fhd": (1920, 1080),
    "qhd": (2560, 1440),
    "uhd": (3840, 2160),
    "4k": (3840, 2160),
    "5k": (5120, 2880),
    "8k": (7680, 4320),
}
"""Names of picture sizes. 4k and 8k are those of television (ITU-R BT.2020), not of cinema."""

# Text, which ``re`` compiles at the first use and keeps: most requests have none of these.
_INTEGER = r"[+-]?[0-9]{1,18}"
_NUMBER = r"[+-]?(?:[0-9]{1,18}(?:\.[0-9]{1,18})?|\.[0-9]{1,18})"
_UNIT = r"[^\s0-9.+-][^\s0-9]{0,15}|"
_SIZE = r"(?i)([0-9]{1,9})\s*(?:x|×|\*|by)\s*([0-9]{1,9})"
_CLOCK = r"(?:([0-9]{1,6}):)?([0-9]{1,6}):([0-9]{2})(\.[0-9]{1,9})?"
_SPAN = r"(?i)(?:([0-9.]+)h)?(?:([0-9.]+)m(?:in)?)?(?:([0-9.]+)s)?(?:([0-9]+)ms)?"
_PLAIN_START = re.compile(r"[A-Za-z0-9_./]")


def parse_value(slot: Slot, raw: Any) -> Value:
    """One value of a slot, from text or from what JSON or TOML hold. Raises ValueFault."""
    if isinstance(raw, Quantity | Dimensions | Timestamp):
        raw = shown(raw)
    if isinstance(raw, str):
        if "\0" in raw:
            raise ValueFault("it has a NUL character, which no program can be given")
        if len(raw) > LONGEST:
            raise ValueFault(f"it is longer than {LONGEST} characters")
    return _PARSERS[slot.type](slot, raw)


def shown(value: Value) -> str:
    """A value as a person would write it, which ``parse_value`` reads again."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Quantity):
        return f"{number(value.value)}{value.unit}"
    if isinstance(value, Dimensions):
        return f"{value.width}x{value.height}"
    if isinstance(value, Timestamp):
        return clock(value.seconds)
    return str(value)


def number(value: Decimal) -> str:
    """A decimal without exponent and without zeros at its end."""
    text = f"{value:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"


def clock(seconds: Decimal) -> str:
    """``HH:MM:SS``, with a fraction where there is one."""
    whole = int(seconds)
    fraction = number(seconds - whole).removeprefix("0")
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}{fraction}"


def guarded(path: str) -> str:
    """How a path stands in a command: with ``./`` where a tool might take it for something else than a file.

    ``-rf`` for an option, ``@list`` for a list of files, ``host:x`` for a place on another machine, ``a=b`` for a
    setting. With a slash before the colon none of the tools that are known for it does.
    """
    first = path.partition("/")[0]
    if path and not path.startswith("/") and (not _PLAIN_START.match(path) or set(first) & set(":=|")):
        return f"./{path}"
    return path


def plain_path(path: str) -> str:
    """The same path without the ``./`` that ``guarded`` or a person put before it."""
    while path.startswith("./"):
        path = path[1:].lstrip("/") or "."
    return path


def _path(_slot: Slot, raw: Any) -> Value:
    text = _text(raw, "a path")
    if not text:
        raise ValueFault("a path is not empty")
    return plain_path(text)


def _boolean(_slot: Slot, raw: Any) -> Value:
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, str) and raw.lower() in {"true", "false"}:
        return raw.lower() == "true"
    raise ValueFault(f"{raw!r} is neither true nor false")


def _integer(_slot: Slot, raw: Any) -> Value:
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw
    if isinstance(raw, str) and re.fullmatch(_INTEGER, raw.strip()):
        return int(raw)
    raise ValueFault(f"{raw!r} is not a whole number", "digits, with no unit")


def _quantity(slot: Slot, raw: Any) -> Value:
    text = str(raw) if isinstance(raw, int | float) and not isinstance(raw, bool) else _text(raw, "a quantity")
    found = re.match(_NUMBER, text.strip())
    unit = text.strip()[found.end() :].strip() if found else ""
    if found is None or not re.fullmatch(_UNIT, unit):
        raise ValueFault(f"{text!r} is not a number with a unit", "like 10MB, 30fps, 128kbps or 2x")
    return Quantity(_decimal(found.group()), _unit_of(slot, unit))


def _unit_of(slot: Slot, unit: str) -> str:
    """The slot's spelling of a unit: the first of those that are written alike in the command."""
    if not slot.units:
        return unit
    known = unit if unit in slot.units else next((u for u in slot.units if u.lower() == unit.lower()), None)
    if known is None:
        if not unit:
            raise ValueFault("it has no unit", f"one of {', '.join(slot.units)}")
        raise ValueFault(f"{unit!r} is not a unit of it", suggestion(unit, [u for u in slot.units if u]))
    return next(u for u, written in slot.units.items() if written == slot.units[known])


def _dimensions(_slot: Slot, raw: Any) -> Value:
    text = _text(raw, "a size").strip()
    found = re.fullmatch(_SIZE, text)
    width, height = SHORTHAND.get(text.lower(), (0, 0)) if found is None else map(int, found.groups())
    if not (width and height):
        raise ValueFault(f"{text!r} is not a width and a height", "like 1920x1080, 800x600, 1080p or 4k")
    return Dimensions(width, height)


def _timestamp(_slot: Slot, raw: Any) -> Value:
    """``HH:MM:SS`` and ``MM:SS``, with a fraction; ``90s``, ``1h30m``, ``250ms``; a bare number is seconds."""
    from decimal import Decimal

    text = str(raw) if isinstance(raw, int | float) and not isinstance(raw, bool) else _text(raw, "a time").strip()
    if found := re.fullmatch(_CLOCK, text):
        hours, minutes, seconds = (int(part or 0) for part in found.groups()[:3])
        if seconds < 60 and (minutes < 60 or found.group(1) is None):
            return Timestamp(_tidy(Decimal(hours * 3600 + minutes * 60 + seconds) + Decimal(found.group(4) or 0)))
    elif re.fullmatch(_NUMBER, text) and not text.startswith("-"):
        return Timestamp(_tidy(_decimal(text)))
    elif text and (span := re.fullmatch(_SPAN, text)):
        factors = (Decimal(3600), Decimal(60), Decimal(1), Decimal("0.001"))
        parts = zip(span.groups(), factors, strict=True)
        return Timestamp(_tidy(sum((_decimal(part) * factor for part, factor in parts if part), Decimal(0))))
    raise ValueFault(f"{text!r} is not a time", "like 00:01:30, 1:30:00 or 90s")


def _enum(slot: Slot, raw: Any) -> Value:
    text = _text(raw, "a choice")
    if text in slot.values:
        return text
    fitting = [value for value in slot.values if value.lower() == text.lower()]
    if len(fitting) == 1:
        return fitting[0]
    raise ValueFault(f"{text!r} is none of {', '.join(slot.values)}", suggestion(text, slot.values))


def _string(_slot: Slot, raw: Any) -> Value:
    return _text(raw, "text")


def _text(raw: Any, what: str) -> str:
    if not isinstance(raw, str):
        raise ValueFault(f"{raw!r} is not {what}")
    return raw


def _decimal(text: str) -> Decimal:
    from decimal import Decimal, InvalidOperation  # takes as long to load as this module

    try:
        return _tidy(Decimal(text))
    except InvalidOperation:
        raise ValueFault(f"{text!r} is not a number") from None


def _tidy(value: Decimal) -> Decimal:
    """One form for equal numbers: ``2.50`` is ``2.5``, ``-0`` is ``0``."""
    from decimal import Decimal

    return Decimal(number(value)) + 0


_PARSERS: Mapping[SlotType, Callable[[Slot, Any], Value]] = {
    SlotType.FILEPATH: _path,
    SlotType.BOOLEAN: _boolean,
    SlotType.INTEGER: _integer,
    SlotType.QUANTITY: _quantity,
    SlotType.DIMENSIONS: _dimensions,
    SlotType.TIMESTAMP: _timestamp,
    SlotType.ENUM: _enum,
    SlotType.STRING: _string,
}


def suffix_of(path: str) -> str:
    """The extension of a path in lower case, with its dot; empty where it has none."""
    return posixpath.splitext(path)[1].lower()
