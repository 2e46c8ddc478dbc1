"""Show what people approved of a change: in a sentence, and as a list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verigate.domain.verdict import Verdict
from verigate.reporting.escape import escape

_SHOWN = 5
_COUNTS = (("policy", "policy change"), ("weakenings", "weakening"))


def summarise_approvals(verdict: Verdict, *, short: bool = False) -> str:
    """Summarise what holds because somebody approved it; "" if nothing does. ``short`` leaves out who."""
    found = verdict.approvals or {}
    counts = [_count(found[key], word) for key, word in _COUNTS if found.get(key)]
    if not counts:
        return ""
    head = f"approved: {', '.join(counts)}"
    if short:
        return head
    listed = found["listed"]
    more = f"; and {len(listed) - _SHOWN} more" if len(listed) > _SHOWN else ""
    return f"{head}; without it the change would be stopped: {'; '.join(map(_describe, listed[:_SHOWN]))}{more}"


def list_approvals(verdict: Verdict) -> Iterator[tuple[str, str]]:
    """List approvals and those that don't count, as a word and an escaped line."""
    found = verdict.approvals or {}
    for item in found.get("listed") or ():
        what = [escape(path, limit=300) for path in item["policy"]]
        what += [_count(item["weakenings"], "weakening")] if item["weakenings"] else []
        yield "approved", f"{', '.join(what)}: {_describe(item)}"
    for fault in found.get("faults") or ():
        yield "refused", escape(str(fault), limit=600)


def _describe(item: Mapping[str, Any]) -> str:
    until = f", until {escape(item['expires'][:10], limit=20)}" if item["expires"] else ""
    why = f": {escape(item['reason'], limit=500)}" if item["reason"] else ""
    return f"{escape(item['reference'], limit=300)}, {escape(item['how'], limit=120)}{until}{why}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
