"""Show what a change weakens, and what accounts for it: in a sentence, and as a list."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from msgspec import Struct

from verigate.domain.verdict import Verdict
from verigate.domain.weakening import AccountedBy, format_target, shorten_reference
from verigate.reporting.escape import escape

_LONGEST_LINE = 5000
_SHOWN = 5
_COUNTS = (
    ("unaccounted", "not accounted for"),
    ("disclosed", "disclosed"),
    ("approved", "approved"),
    ("allowed", "allowed by the profile"),
    ("by_evidence", "acquitted by evidence"),
)
_WORDS = {
    AccountedBy.DISCLOSURE: "disclosed",
    AccountedBy.PROFILE: "allowed",
    AccountedBy.EVIDENCE: "acquitted",
    AccountedBy.APPROVAL: "approved",
}


class WeakeningLine(Struct, frozen=True):
    """One weakening as reports show it, escaped. ``line`` is what would disclose it, "" if nothing would."""

    word: str
    what: str
    why: str
    line: str = ""
    follows: bool = False
    """Whether it may follow from a failure: a test doesn't run any more, and nothing accounts for it."""

    @property
    def text(self) -> str:
        """All but the line, in one."""
        return f"{self.what}: {self.why}" if self.why else self.what


def count_weakenings(verdict: Verdict) -> str:
    """Count the weakenings by what accounts for them: ``2 disclosed · 1 acquitted by evidence``; "" without any."""
    found = verdict.weakenings or {}
    return " · ".join(f"{found[key]} {words}" for key, words in _COUNTS if found.get(key))


def summarise_weakenings(verdict: Verdict, *, short: bool = False) -> str:
    """Summarise what is weaker than before though the checks hold; "" if nothing is.

    ``short`` leaves out which.
    """
    found = verdict.weakenings or {}
    counts = {word: found[word] for word in ("disclosed", "allowed") if found.get(word)}
    if not counts:
        return ""
    parts = [f"{number} {word}" for word, number in counts.items()]
    number = sum(counts.values())
    head = f"{'weakening' if number == 1 else 'weakenings'}: {', '.join(parts)}"
    if short:
        return head
    shown = [each for each in list_weakenings(verdict) if each.word in {"disclosed", "allowed"}]
    more = f"; and {len(shown) - _SHOWN} more" if len(shown) > _SHOWN else ""
    return f"{head}; less is checked than before: {'; '.join(each.text for each in shown[:_SHOWN])}{more}"


def list_weakenings(
    verdict: Verdict, places: Collection[tuple[str, str, str | None]] | None = None
) -> list[WeakeningLine]:
    """List the weakenings, those that nothing accounts for first, those that evidence acquits last.

    ``places`` are kind, path and test of those that are wanted; None: all.
    """
    listed = (verdict.weakenings or {}).get("listed") or ()
    wanted = [each for each in listed if places is None or (each["kind"], each["path"], each["test"]) in places]
    order = ("open", "disclosed", "approved", "allowed", "acquitted")
    return sorted(map(_describe, wanted), key=lambda each: order.index(each.word))


def list_notices(verdict: Verdict) -> Iterator[str]:
    """List why disclosures don't count, as escaped lines: marks of agents, and lines that can't be read."""
    found = verdict.weakenings or {}
    for key in ("agent_marks", "faults"):
        yield from (escape(str(notice), limit=400) for notice in found.get(key) or ())


def _describe(item: Mapping[str, Any]) -> WeakeningLine:
    number = f" ({item['tests']} tests)" if "tests" in item else ""
    what = escape(f"{item['kind']} in {format_target(item['path'], item['test'])}{number}", limit=500)
    accounted = item["accounted"]
    if accounted is None:
        line = escape(item.get("line", ""), limit=_LONGEST_LINE)
        return WeakeningLine("open", what, escape(item.get("note", "")), line, follows=item["kind"] == "lost")
    by = AccountedBy(accounted["by"])
    where = escape(shorten_reference(accounted["reference"]), limit=120)
    why = f"{escape(item['reason'], limit=500)} ({where})" if item.get("reason") else where
    return WeakeningLine(_WORDS[by], what, why)
