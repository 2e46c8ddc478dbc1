"""Phase 5: from what a program printed to the answer. Three steps, and no fourth: what can't be read is not guessed.

The whole output as JSON; else the payload of the envelope that the program puts around it; else the last fenced block
of JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from verigate.domain.engine import Usage
from verigate.formats.strict_json import StrictJsonError, loads
from verigate.verifier.answers import MAX_BYTES
from verigate.verifier.program import LogRule, Trailer
from verigate.verifier.run_log import Entry, entries, fields_of, json_object

_OPENING = frozenset({"```json", "```JSON"})
_CLOSING = "```"


class Printed(Struct, frozen=True):
    """What an output comes to. ``payload`` is the answer as the program wrapped it: text, or an object.

    ``model`` is the one that answered, ``asked`` the one that was asked for.
    """

    payload: Any = None
    session: str | None = None
    model: str | None = None
    asked: str | None = None
    version: str | None = None
    cost_usd: float | None = None
    usage: Usage | None = None
    status: int | None = None
    error: str | None = None
    enveloped: bool = False


def read_printed(raw: str, rules: Sequence[LogRule], trailer: Trailer | None = None, told: str = "") -> Printed:
    """What an output says, by the rules of its program; of several things of a kind the last.

    ``told`` is what was on stderr.
    """
    if trailer is not None:
        return _in_text(raw, told, trailer)
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
    return _printed(known.get("response", said) if found else None, known, enveloped=found)


def _printed(payload: Any, known: Mapping[str, Any], *, enveloped: bool) -> Printed:
    return Printed(
        payload=payload,
        session=_text(known.get("session")),
        model=_text(known.get("model")),
        asked=_text(known.get("asked")),
        version=_text(known.get("version")),
        cost_usd=_cost(known.get("cost")),
        usage=_usage(known),
        status=known["status"] if type(known.get("status")) is int else None,
        error=_text(known.get("error")),
        enveloped=enveloped,
    )


def _in_text(raw: str, told: str, trailer: Trailer) -> Printed:
    """An answer in text, and the program's own account of it below, which counts from stderr first."""
    above, block = _cut(raw, trailer)
    _, apart = _cut(told, trailer)
    document = json_object((block if apart is None else apart) or "")
    known = {} if document is None else fields_of(document, trailer.fields)
    return _printed(None if block is None else above, known, enveloped=block is not None)


def _cut(text: str, trailer: Trailer) -> tuple[str, str | None]:
    """A text without its last block, and what that holds; None where there is none."""
    above, begins, rest = text.rpartition(trailer.begin)
    block, ends, below = rest.partition(trailer.end)
    return (above + below, block) if begins and ends else (text, None)


def parse_output(raw: str, printed: Printed) -> dict[str, Any] | None:
    """The answer, an object; None where no step finds one."""
    if not printed.enveloped and (whole := _object(raw)) is not None:
        return whole
    payload = printed.payload
    if isinstance(payload, Mapping):
        payload = _as_json(payload)
    text = payload if isinstance(payload, str) else "" if printed.enveloped else raw
    if (inner := _object(text)) is not None:
        return inner
    block = _last_block(text)
    return _object(block) if block is not None else None


def _last_block(text: str) -> str | None:
    """What the last fenced block of JSON holds. Line by line: a pattern takes hours over a text of opening fences."""
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


def answered_text(raw: str, printed: Printed) -> str:
    """The answer as text, for who wants to see what couldn't be read."""
    if isinstance(printed.payload, str):
        return printed.payload
    return "" if printed.enveloped else raw


def _as_json(payload: Mapping[str, Any]) -> str:
    try:
        return json.dumps(payload, ensure_ascii=False)
    except RecursionError:
        return ""


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
