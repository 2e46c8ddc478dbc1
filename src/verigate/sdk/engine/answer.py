"""Find the one JSON document in what a program or a model printed. An unreadable answer is never guessed."""

from __future__ import annotations

from typing import Any

from verigate.formats.strict_json import StrictJsonError, loads

MAX_ANSWER_BYTES = 1 << 20
_OPENING = frozenset({"```json", "```JSON"})
_CLOSING = "```"


def find_answer(text: str) -> dict[str, Any] | None:
    """Return the object that the whole text is, else the one in its last fenced block of JSON, else None."""
    if (whole := parse_strict_object(text)) is not None:
        return whole
    block = find_last_block(text)
    return None if block is None else parse_strict_object(block)


def find_last_block(text: str) -> str | None:
    """Return the content of the last fenced JSON block. Line by line: a regex is quadratic in opening fences."""
    found: str | None = None
    inner: list[str] | None = None
    for line in text.split("\n"):
        word = line.strip(" \t\r")
        if inner is None:
            inner = [] if word in _OPENING else None
        elif word == _CLOSING:
            found, inner = "\n".join(inner), None
        else:
            inner.append(line)
    return found


def parse_strict_object(text: str) -> dict[str, Any] | None:
    """Parse one object of strict JSON; None for anything else, and for more than 1 MiB."""
    try:
        found = loads(text.strip().encode("utf-8"), max_bytes=MAX_ANSWER_BYTES)
    except (StrictJsonError, UnicodeEncodeError):
        return None
    return found if isinstance(found, dict) else None
