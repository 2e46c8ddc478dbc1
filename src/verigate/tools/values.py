"""Parse and format the values of slots, with one parser for each type."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from verigate.formats.near_names import suggest_name
from verigate.tools.model import Slot, SlotType

if TYPE_CHECKING:
    from decimal import Decimal

LONGEST = 32_768
"""Length limit of one value, above any file name; execve(2) takes 128 KiB a word."""


class ValueFault(ValueError):  # noqa: N818 - what is wrong with a value, as a Fault is with a file
    """A text that isn't a value of its slot's type; the message says why, ``hint`` what to write."""

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
"""Names of picture sizes. 4k and 8k are the sizes of television (ITU-R BT.2020), not of cinema."""

# Text, which ``re`` compiles at the first use and keeps: most requests have none of these.
_INTEGER = r"[+-]?[0-9]{1,18}"
_NUMBER = r"[+-]?(?:[0-9]{1,18}(?:\.[0-9]{1,18})?|\.[0-9]{1,18})"
_UNIT = r"[^\s0-9.+-][^\s0-9]{0,15}|"
_SIZE = r"(?i)([0-9]{1,9})\s*(?:x|×|\*|by)\s*([0-9]{1,9})"
_CLOCK = r"(?:([0-9]{1,6}):)?([0-9]{1,6}):([0-9]{2})(\.[0-9]{1,9})?"
_SPAN = r"(?i)(?:([0-9.]+)h)?(?:([0-9.]+)m(?:in)?)?(?:([0-9.]+)s)?(?:([0-9]+)ms)?"
_PLAIN_START = re.compile(r"[A-Za-z0-9_./]")


def parse_value(slot: Slot, raw: Any) -> Value:
    """Parse one value of a slot, from text or from a JSON or TOML value. Raises ValueFault."""
    if isinstance(raw, Quantity | Dimensions | Timestamp):
        raw = format_value(raw)
    if isinstance(raw, str):
        if "\0" in raw:
            raise ValueFault("it contains a NUL character, which can't be passed to a program")
        if len(raw) > LONGEST:
            raise ValueFault(f"it is longer than {LONGEST} characters")
    return _PARSERS[slot.type](slot, raw)


def format_value(value: Value) -> str:
    """Format a value for people, so that ``parse_value`` accepts it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Quantity):
        return f"{format_decimal(value.value)}{value.unit}"
    if isinstance(value, Dimensions):
        return f"{value.width}x{value.height}"
    if isinstance(value, Timestamp):
        return format_clock(value.seconds)
    return str(value)


def format_decimal(value: Decimal) -> str:
    """Format a decimal without exponent and trailing zeros."""
    text = f"{value:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"


def format_clock(seconds: Decimal) -> str:
    """Format seconds as ``HH:MM:SS``, with the fraction if there is one."""
    whole = int(seconds)
    fraction = format_decimal(seconds - whole).removeprefix("0")
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}{fraction}"


def guard_path(path: str) -> str:
    """Put ``./`` before a path that a tool might not take for a file.

    Tools may read ``-rf`` as an option, ``@list`` as a list of files, ``host:x`` as a remote path, ``a=b`` as a
    setting. None of the known ones does so with a slash before the colon.
    """
    first = path.partition("/")[0]
    if path and not path.startswith("/") and (not _PLAIN_START.match(path) or set(first) & set(":=|")):
        return f"./{path}"
    return path


def unguard_path(path: str) -> str:
    """Remove a leading ``./`` from a path."""
    while path.startswith("./"):
        path = path[1:].lstrip("/") or "."
    return path


def _parse_path(_slot: Slot, raw: Any) -> Value:
    text = _require_text(raw, "a path")
    if not text:
        raise ValueFault("a path is not empty")
    return unguard_path(text)


def _parse_boolean(_slot: Slot, raw: Any) -> Value:
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, str) and raw.lower() in {"true", "false"}:
        return raw.lower() == "true"
    raise ValueFault(f"{raw!r} is neither true nor false")


def _parse_integer(_slot: Slot, raw: Any) -> Value:
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw
    if isinstance(raw, str) and re.fullmatch(_INTEGER, raw.strip()):
        return int(raw)
    raise ValueFault(f"{raw!r} is not a whole number", "digits, with no unit")


def _parse_quantity(slot: Slot, raw: Any) -> Value:
    text = str(raw) if isinstance(raw, int | float) and not isinstance(raw, bool) else _require_text(raw, "a quantity")
    found = re.match(_NUMBER, text.strip())
    unit = text.strip()[found.end() :].strip() if found else ""
    if found is None or not re.fullmatch(_UNIT, unit):
        raise ValueFault(f"{text!r} is not a number with a unit", "like 10MB, 30fps, 128kbps or 2x")
    return Quantity(_parse_decimal(found.group()), _find_unit(slot, unit))


def _find_unit(slot: Slot, unit: str) -> str:
    """Return the slot's spelling of a unit: the first of those that the command writes the same."""
    if not slot.units:
        return unit
    known = unit if unit in slot.units else next((u for u in slot.units if u.lower() == unit.lower()), None)
    if known is None:
        if not unit:
            raise ValueFault("it has no unit", f"one of {', '.join(slot.units)}")
        raise ValueFault(f"{unit!r} is not a unit of it", suggest_name(unit, [u for u in slot.units if u]))
    return next(u for u, written in slot.units.items() if written == slot.units[known])


def _parse_dimensions(_slot: Slot, raw: Any) -> Value:
    text = _require_text(raw, "a size").strip()
    found = re.fullmatch(_SIZE, text)
    width, height = SHORTHAND.get(text.lower(), (0, 0)) if found is None else map(int, found.groups())
    if not (width and height):
        raise ValueFault(f"{text!r} is not a width and a height", "like 1920x1080, 800x600, 1080p or 4k")
    return Dimensions(width, height)


def _parse_timestamp(_slot: Slot, raw: Any) -> Value:
    """Parse ``HH:MM:SS`` or ``MM:SS``, with a fraction; ``90s``, ``1h30m``, ``250ms``; a bare number is seconds."""
    from decimal import Decimal

    text = (
        str(raw) if isinstance(raw, int | float) and not isinstance(raw, bool) else _require_text(raw, "a time").strip()
    )
    if found := re.fullmatch(_CLOCK, text):
        hours, minutes, seconds = (int(part or 0) for part in found.groups()[:3])
        if seconds < 60 and (minutes < 60 or found.group(1) is None):
            return Timestamp(_normalize(Decimal(hours * 3600 + minutes * 60 + seconds) + Decimal(found.group(4) or 0)))
    elif re.fullmatch(_NUMBER, text) and not text.startswith("-"):
        return Timestamp(_normalize(_parse_decimal(text)))
    elif text and (span := re.fullmatch(_SPAN, text)):
        factors = (Decimal(3600), Decimal(60), Decimal(1), Decimal("0.001"))
        parts = zip(span.groups(), factors, strict=True)
        return Timestamp(_normalize(sum((_parse_decimal(part) * factor for part, factor in parts if part), Decimal(0))))
    raise ValueFault(f"{text!r} is not a time", "like 00:01:30, 1:30:00 or 90s")


def _parse_enum(slot: Slot, raw: Any) -> Value:
    text = _require_text(raw, "a choice")
    if text in slot.values:
        return text
    text = next((value for word, value in slot.synonyms.items() if word.lower() == text.lower()), text)
    fitting = [value for value in slot.values if value.lower() == text.lower()]
    if len(fitting) == 1:
        return fitting[0]
    raise ValueFault(f"{text!r} is none of {', '.join(slot.values)}", suggest_name(text, slot.values))


def _parse_string(_slot: Slot, raw: Any) -> Value:
    return _require_text(raw, "text")


def _require_text(raw: Any, what: str) -> str:
    if not isinstance(raw, str):
        raise ValueFault(f"{raw!r} is not {what}")
    return raw


def _parse_decimal(text: str) -> Decimal:
    from decimal import Decimal, InvalidOperation  # takes as long to load as this module

    try:
        return _normalize(Decimal(text))
    except InvalidOperation:
        raise ValueFault(f"{text!r} is not a number") from None


def _normalize(value: Decimal) -> Decimal:
    """Normalize a number: ``2.50`` becomes ``2.5``, ``-0`` becomes ``0``."""
    from decimal import Decimal

    return Decimal(format_decimal(value)) + 0


_PARSERS: Mapping[SlotType, Callable[[Slot, Any], Value]] = {
    SlotType.FILEPATH: _parse_path,
    SlotType.BOOLEAN: _parse_boolean,
    SlotType.INTEGER: _parse_integer,
    SlotType.QUANTITY: _parse_quantity,
    SlotType.DIMENSIONS: _parse_dimensions,
    SlotType.TIMESTAMP: _parse_timestamp,
    SlotType.ENUM: _parse_enum,
    SlotType.STRING: _parse_string,
}


def get_suffix(path: str) -> str:
    """Return the extension of a path in lower case, with its dot; empty if it has none."""
    return posixpath.splitext(path)[1].lower()
