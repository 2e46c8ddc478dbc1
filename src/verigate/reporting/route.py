"""Render how statements are read: their kind, the facts they need, the capabilities that report these."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from verigate.domain.statement_reading import StatedFact, StatementKind, StatementReading
from verigate.reporting.escape import escape
from verigate.reporting.layout import MIN_WIDTH, wrap
from verigate.reporting.palette import Palette

ROUTE_SCHEMA = "verigate:route.v1"

_STYLES = {StatementKind.CLAIM: "green", StatementKind.NEGATED: "red"}


def route_document(read: Sequence[tuple[str, StatementReading]]) -> dict[str, Any]:
    """The JSON document of ``gate route --json``."""
    return {"schema": ROUTE_SCHEMA, "statements": [_statement_document(text, reading) for text, reading in read]}


def _statement_document(text: str, reading: StatementReading) -> dict[str, Any]:
    return {
        "text": text,
        "kind": reading.kind.value,
        "capabilities": list(reading.capabilities),
        "facts": [_fact_document(fact) for fact in reading.facts],
        "unread": [clause.text for clause in reading.unread],
    }


def _fact_document(fact: StatedFact) -> dict[str, Any]:
    return {
        "fact": str(fact),
        "artifact": fact.artifact,
        "pointer": fact.what if fact.what.startswith("/") and fact.artifact.count("/") == 0 else None,
        "what": fact.what,
        "relation": fact.relation.value,
        "value": fact.value,
        "step": fact.step,
        "tool": fact.tool,
        "scope": fact.scope,
        "capability": fact.capability,
        "negative": fact.bad,
    }


def render_route(read: Sequence[tuple[str, StatementReading]], *, colour: bool = False, width: int = 100) -> str:
    """Render one paragraph per statement."""
    if not read:
        return "no statement: code blocks, comments and headings state nothing\n"
    palette, width = Palette(colour), max(width, MIN_WIDTH)
    lines: list[str] = []
    for number, (text, reading) in enumerate(read, start=1):
        style = _STYLES.get(reading.kind, "yellow") if reading.facts else "yellow"
        head = f"{number}. {palette.paint(reading.kind.value, style)}  "
        lines += wrap(escape(text, limit=500), width, indent="   ", first=head)
        lines += (
            line for part in _need_lines(text, reading) for line in wrap(part, width, indent="       ", first="     ")
        )
    return "\n".join(lines) + "\n"


_NO_NAME = r"(?!(?:that|which|to|for|in|and|the|an?|its?|them|all)\b|every)"
_BARE_NAME = re.compile(
    rf"(?i)(?:\b(?:function|method|class|helper)s? |^(?:(?:i|we) )?(?:have |has )?renamed? ){_NO_NAME}"
    r"([a-z_][\w.]*)\b(?!\()"
)
"""A word after one of these that may be a name, and isn't marked as one."""


def _need_lines(text: str, reading: StatementReading) -> Iterator[str]:
    for fact in reading.facts:
        yield f"{escape(str(fact))}  ({fact.capability})"
    if not reading.facts:
        yield f"undecided: {escape(reading.why_undecided)}"
        if "`" not in text and (name := _BARE_NAME.search(text)) is not None:
            yield f"if {escape(name[1])} is a name, write it as code: `{escape(name[1])}()`"
    elif reading.unread:
        rest = "; ".join(clause.text for clause in reading.unread)
        yield f"undecided: {escape(rest)}"
