"""Phase 5: parse the answer from a program's output. An unreadable answer is never guessed.

Three steps: the whole output as JSON; else the payload of the program's envelope; else the last fenced block of JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from verigate.domain.engine import Usage
from verigate.sdk.engine.answer import find_answer, parse_strict_object
from verigate.verifier.program import LogRule, Trailer
from verigate.verifier.run_log import LogEntry, parse_log, parse_object, read_fields


class ParsedOutput(Struct, frozen=True):
    """The parsed output. ``payload`` is the answer as the program wrapped it: text, or an object.

    ``model`` is the one that answered, ``asked`` the requested one.
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


def read_output(raw: str, rules: Sequence[LogRule], trailer: Trailer | None = None, stderr: str = "") -> ParsedOutput:
    """Read an output by the rules of its program; of several values of one kind the last is used.

    ``stderr`` is the text of that stream.
    """
    if trailer is not None:
        return _read_text_output(raw, stderr, trailer)
    known: dict[str, Any] = {}
    said: str | None = None
    was_delta = False
    found = False
    for entry in parse_log(raw, rules):
        found = True
        known |= entry.fields
        if entry.kind == "message":
            said = said + entry.text if entry.delta and was_delta and said is not None else entry.text
        was_delta = entry.delta and entry.kind == "message"
    return _to_parsed(known.get("response", said) if found else None, known, enveloped=found)


def _to_parsed(payload: Any, known: Mapping[str, Any], *, enveloped: bool) -> ParsedOutput:
    return ParsedOutput(
        payload=payload,
        session=_read_text(known.get("session")),
        model=_read_text(known.get("model")),
        asked=_read_text(known.get("asked")),
        version=_read_text(known.get("version")),
        cost_usd=_read_cost(known.get("cost")),
        usage=_read_usage(known),
        status=known["status"] if type(known.get("status")) is int else None,
        error=_read_text(known.get("error")),
        enveloped=enveloped,
    )


def _read_text_output(raw: str, stderr: str, trailer: Trailer) -> ParsedOutput:
    """Read an answer in text and the program's trailer, from stderr first, else from below the answer."""
    above, block = _cut_trailer(raw, trailer)
    _, apart = _cut_trailer(stderr, trailer)
    document = parse_object((block if apart is None else apart) or "")
    known = {} if document is None else read_fields(document, trailer.fields)
    return _to_parsed(None if block is None else above, known, enveloped=block is not None)


def _cut_trailer(text: str, trailer: Trailer) -> tuple[str, str | None]:
    """Split off the trailer; return the text before it and its content, None if there is none."""
    above, begins, rest = text.rpartition(trailer.begin)
    block, ends, below = rest.partition(trailer.end)
    return (above + below, block) if begins and ends else (text, None)


def parse_output(raw: str, printed: ParsedOutput) -> dict[str, Any] | None:
    """Return the answer, an object; None if no step finds one."""
    if not printed.enveloped and (whole := parse_strict_object(raw)) is not None:
        return whole
    payload = printed.payload
    if isinstance(payload, Mapping):
        payload = _to_json(payload)
    return find_answer(payload if isinstance(payload, str) else "" if printed.enveloped else raw)


def extract_answer_text(raw: str, printed: ParsedOutput) -> str:
    """Return the answer as text, to show an unreadable one."""
    if isinstance(printed.payload, str):
        return printed.payload
    return "" if printed.enveloped else raw


def _to_json(payload: Mapping[str, Any]) -> str:
    try:
        return json.dumps(payload, ensure_ascii=False)
    except RecursionError:
        return ""


def _read_text(value: Any) -> str | None:
    return value[:500] if isinstance(value, str) and value else None


def _read_cost(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else None


def _read_usage(known: Mapping[str, Any]) -> Usage | None:
    counts = known.get("input_tokens"), known.get("output_tokens")
    return None if counts == (None, None) else Usage(counts[0] or 0, counts[1] or 0)


def find_last_error(raw: str, rules: Sequence[LogRule]) -> str | None:
    """Return the last error in the output of a program that failed."""
    errors: list[LogEntry] = [entry for entry in parse_log(raw, rules) if entry.kind == "error" and entry.text]
    return errors[-1].text[:500] if errors else None
