"""Phase 5: from what a program printed to the answer. Three steps, and no fourth: what can't be read is not guessed.

The whole output as JSON; else the payload of the envelope that the program puts around it; else the last fenced block
of JSON.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from verigate.domain.engine import Usage
from verigate.domain.strict_json import StrictJsonError, loads
from verigate.verifier.answers import MAX_BYTES
from verigate.verifier.programs.program import LogRule
from verigate.verifier.run_log import Entry, entries

_FENCED = re.compile(r"^[ \t]*```(?:json|JSON)[ \t]*\n(.*?)^[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)


class Printed(Struct, frozen=True):
    """What an output comes to. ``payload`` is the answer as the program wrapped it: text, or an object."""

    payload: Any = None
    session: str | None = None
    model: str | None = None
    version: str | None = None
    cost_usd: float | None = None
    usage: Usage | None = None
    status: int | None = None
    error: str | None = None
    enveloped: bool = False


def read_printed(raw: str, rules: Sequence[LogRule]) -> Printed:
    """What an output says, by the rules of its program; of several things of a kind the last."""
    known: dict[str, Any] = {}
    said: str | None = None
    was_delta = False
    found = False
    for entry in entries(raw, rules):
        found = True
        known |= entry.fields
        if entry.kind == "message":
            said = said + entry.text if entry.delta and was_delta and said is not None else entry.text
        was_delta = entry.delta and entry.kind == "message"
    return Printed(
        payload=known.get("response", said) if found else None,
        session=_text(known.get("session")),
        model=_text(known.get("model")),
        version=_text(known.get("version")),
        cost_usd=_cost(known.get("cost")),
        usage=_usage(known),
        status=known["status"] if type(known.get("status")) is int else None,
        error=_text(known.get("error")),
        enveloped=found,
    )


def parse_output(raw: str, printed: Printed) -> dict[str, Any] | None:
    """The answer, an object; None where no step finds one."""
    if not printed.enveloped and (whole := _object(raw)) is not None:
        return whole
    payload = printed.payload
    if isinstance(payload, Mapping):
        return dict(payload)
    text = payload if isinstance(payload, str) else "" if printed.enveloped else raw
    if (inner := _object(text)) is not None:
        return inner
    blocks = _FENCED.findall(text.replace("\r\n", "\n"))
    return _object(blocks[-1]) if blocks else None


def answered_text(raw: str, printed: Printed) -> str:
    """The answer as text, for who wants to see what couldn't be read."""
    if isinstance(printed.payload, str):
        return printed.payload
    return "" if printed.enveloped else raw


def _object(text: str) -> dict[str, Any] | None:
    try:
        found = loads(text.strip().encode("utf-8"), max_bytes=MAX_BYTES)
    except (StrictJsonError, UnicodeEncodeError):
        return None
    return found if isinstance(found, dict) else None


def _text(value: Any) -> str | None:
    return value[:500] if isinstance(value, str) and value else None


def _cost(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else None


def _usage(known: Mapping[str, Any]) -> Usage | None:
    counts = known.get("input_tokens"), known.get("output_tokens")
    return None if counts == (None, None) else Usage(counts[0] or 0, counts[1] or 0)


def last_error(raw: str, rules: Sequence[LogRule]) -> str | None:
    """The last error that the output tells of, for a program that failed."""
    errors: list[Entry] = [entry for entry in entries(raw, rules) if entry.kind == "error" and entry.text]
    return errors[-1].text[:500] if errors else None
