"""Parse values of settings in any notation: numbers, switches, lists, levels, command lines."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from code_adapter.integrity.tools.guards import Guard

_LEVELS = {
    "off": 0, "0": 0, "allow": 0, "none": 0, "false": 0, "information": 1,
    "warn": 2, "1": 2, "warning": 2, "basic": 2, "standard": 3,
    "error": 4, "2": 4, "deny": 4, "true": 4, "strict": 5, "forbid": 5,
}  # fmt: skip


def parse_number(value: Any) -> float | None:
    """Parse a number or a percentage; None for anything else, including booleans."""
    if isinstance(value, bool) or value is None:
        return None
    match = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*%?\s*", str(value))
    return float(match[1]) if match else None


def is_on(value: Any) -> bool:
    """Whether a switch is on."""
    return value is True or str(value).strip().lower() in {"true", "1", "yes", "on"}


def split_entries(value: Any, guard: Guard, option: str) -> list[str]:
    """Split a list, which some tools write as one text, into entries."""
    if value is None:
        return []
    if isinstance(value, list):
        return [str(item).strip() for item in value]
    text_value = str(value)
    if "exclude_lines" in option or "exclude_also" in option or "partial" in option or guard.tool == "codecov":
        parts = text_value.splitlines()
    elif guard.tool == "mypy" and option == "exclude":
        parts = [text_value]
    else:
        parts = re.split(r"[,\s]+", re.sub(r"#[^\n]*", "", text_value))
    return [part.strip() for part in parts if part.strip()]


def rank_level(value: Any) -> int | None:
    """Return the severity of a level, from 0 for off; None if it isn't a level."""
    if isinstance(value, list):
        value = value[0] if value else None
    return None if value is None else _LEVELS.get(str(value).strip().lower())


def format_value(value: Any) -> str:
    """Format a value for messages; of a list with a level and its options, only the level."""
    return str(value[0] if isinstance(value, list) and value else value)


def join_options(value: Any) -> str:
    """Join options of a command line into one text; a word with blanks gets quotes."""
    if not isinstance(value, list):
        return str(value or "")
    return " ".join(f'"{item}"' if re.search(r"\s", str(item)) else str(item) for item in value)


def split_words(options: str) -> list[str]:
    """Split a command line into words; at blanks if its quotes are unbalanced."""
    try:
        return shlex.split(options)
    except ValueError:
        return options.split()
