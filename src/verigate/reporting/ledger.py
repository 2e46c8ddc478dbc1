"""Render the ledger: what commits say, and what the facts of their diffs say of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from verigate.domain.ledger import LedgerEntry, LedgerStatement, Standing
from verigate.reporting.escape import escape
from verigate.reporting.layout import MIN_WIDTH, wrap
from verigate.reporting.palette import Palette

LEDGER_SCHEMA = "verigate:ledger.v1"
_STYLES = {Standing.HOLDS: "green", Standing.REFUTED: "red", Standing.OPEN: "yellow"}
_SHORT = 10
_MOST = 400


def ledger_document(entries: Sequence[LedgerEntry]) -> dict[str, Any]:
    """Return the JSON document of ``gate log --json``."""
    return {
        "schema": LEDGER_SCHEMA,
        "counts": count_standings(entries),
        "commits": [entry.document() for entry in entries],
    }


def count_standings(entries: Sequence[LedgerEntry]) -> dict[str, int]:
    """Count the statements by their standing."""
    found = Counter(each.standing for entry in entries for each in entry.statements)
    return {standing.value: found[standing] for standing in Standing}


def render_entry(entry: LedgerEntry, *, colour: bool = False, width: int = 100) -> str:
    """Render a commit: its id and subject, and a line for each statement; why, where it doesn't hold."""
    palette, width = Palette(colour), max(width, MIN_WIDTH)
    head = f"{palette.paint(entry.name, 'bold')} "
    lines = [*wrap(escape(entry.subject, limit=_MOST), width, indent=" " * (_SHORT + 1), first=head)]
    for index, each in enumerate(entry.statements):
        lines += _statement_lines(each, index, palette, width)
    if entry.error:
        lines += wrap(escape(entry.error, limit=_MOST), width, indent="    ", first="  error ")
    return "\n".join(lines) + "\n"


def _statement_lines(each: LedgerStatement, index: int, palette: Palette, width: int) -> Iterator[str]:
    head = f"  {palette.paint(f'{each.standing.value:<8}', _STYLES[each.standing])}"
    # The subject is above; what it needs says more than the same words again.
    of_subject = each.expected if each.standing is Standing.HOLDS else each.message
    text = each.text if index else of_subject
    yield from wrap(escape(text, limit=_MOST), width, indent=" " * 10, first=head)
    if index and each.standing is Standing.REFUTED:
        yield from wrap(escape(each.message, limit=_MOST), width, indent=" " * 10, first=" " * 10)


def render_sum(entries: Sequence[LedgerEntry]) -> str:
    """Render how many statements hold, are refuted and open."""
    counts = count_standings(entries)
    total = sum(counts.values())
    shares = ", ".join(f"{count} {standing}" for standing, count in counts.items())
    commits = f"{len(entries)} commit{'s' if len(entries) != 1 else ''}"
    return f"{commits}, {total} statement{'s' if total != 1 else ''}: {shares}\n"
