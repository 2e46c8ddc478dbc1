"""Build the entries of checks: expected and actual value, evidence, findings, command to reproduce."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from verigate.domain.verdict import Check, CheckOutcome, EvidenceRef, Verdict
from verigate.reporting.check_lines import CheckLines, format_title
from verigate.reporting.compared import shown_actual
from verigate.reporting.escape import escape, escape_value
from verigate.reporting.finding_headline import format_location
from verigate.reporting.findings import ReportFinding
from verigate.reporting.grouping import Group, is_problem
from verigate.reporting.html.artifacts import Places
from verigate.reporting.html.elements import Child, Element, SpaceBudget, code, el, link, paragraph
from verigate.reporting.outcome_style import CHECK_MARK
from verigate.reporting.reasons import REASONS

_EVIDENCE_SHOWN = 20
_FINDINGS_UNFOLDED = 20
_FINDINGS_PER_CHECK = 5000
_CHARACTERS_OF_FINDINGS = 1_500_000
_MAX_ENTRIES = 6000
_MAX_TOTAL = 6_000_000
_UNFOLDED = 50
"""Number of problems that start unfolded."""

COLOURS = {"red": "bad", "green": "good", "yellow": "warn", "dim": "dim"}
_TITLES = {"capability": "capabilities", "unit": "units"}


class PageContext(Struct, frozen=True):
    """What entries refer to: anchors of checks by id, of findings by fingerprint, and of artifacts."""

    verdict: Verdict
    listed: Mapping[str, Sequence[ReportFinding]]
    checks: Mapping[str, str]
    lines: Mapping[str, str]
    artifacts: Places


class CheckEntries:
    """Builds entries of checks within a space budget; ``left_out`` counts the omitted ones."""

    def __init__(self, context: PageContext) -> None:
        self._context = context
        self._accounts = CheckLines(context.verdict)
        self._room = SpaceBudget(_MAX_ENTRIES, _MAX_TOTAL)
        self._unfolded = _UNFOLDED
        self._anchored: set[str] = set()
        self.left_out = 0

    def group(self, group: Group, checks: Sequence[Check]) -> Iterator[Element]:
        """Build a heading and the entries of ``checks``."""
        if checks:
            yield el("h3", escape(_TITLES.get(group.name, group.name), limit=40))
        for check in checks:
            if self._room.left:
                yield self._room.take(self._entry(check))
            else:
                self.left_out += 1

    def _entry(self, check: Check) -> Element:
        unfolded = is_problem(check) and self._unfolded > 0
        self._unfolded -= unfolded
        mark, colour = CHECK_MARK[check.outcome]
        words = el("span", f"{mark} {format_title(check)}", class_=f"mark {COLOURS[colour]}")
        facts = [part for label, value in self._facts(check) for part in (el("dt", label), el("dd", *value))]
        # Checks of a forged verdict may share an id; the first one gets the anchor.
        place = self._context.checks.get(check.id) if check.id not in self._anchored else None
        self._anchored.add(check.id)
        body = el("div", el("dl", *facts), class_="body", id=place)
        return el("details", el("summary", words, " ", code(check.id, limit=200)), body, open="" if unfolded else None)

    def _facts(self, check: Check) -> Iterator[tuple[str, Sequence[Child]]]:
        if check.message:
            yield "says", paragraph(check.message, limit=2000)
        if check.reason in REASONS and check.reason is not None:
            yield "means", (f"{check.reason}: {REASONS[check.reason].meaning.replace('`', '')}",)
        if check.expected is not None or check.outcome is not CheckOutcome.NOT_APPLICABLE:
            yield "expected", (code(escape_value(check.expected, limit=600), limit=4000),)
            yield "actual", (code(escape_value(shown_actual(check), limit=600), limit=4000),)
        listed = self._context.listed.get(check.id, ())
        if found := [finding for finding in listed if finding.message != check.message or finding.path]:
            yield "found", (self._findings(found),)
        if check.evidence:
            yield "evidence", (self._evidence(check.evidence),)
        elif is_problem(check):
            yield "evidence", (el("span", "none: no fact decides this", class_="dim"),)
        if is_problem(check):
            commands = (el("li", code(line, limit=1000)) for line in self._accounts.commands(check))
            yield "reproduce", (el("ul", *commands),)

    def _findings(self, found: Sequence[ReportFinding]) -> Element:
        room = SpaceBudget(_FINDINGS_PER_CHECK, _CHARACTERS_OF_FINDINGS)
        items: list[Element] = []
        for finding in found:
            if not room.left:
                items.append(el("li", f"… and {len(found) - len(items):,} more"))
                break
            items.append(room.take(self._finding(finding)))
        if len(items) <= _FINDINGS_UNFOLDED:
            return el("ul", *items)
        return el("details", el("summary", f"{len(found):,} findings"), el("ul", *items, class_="body"))

    def _finding(self, finding: ReportFinding) -> Element:
        place = format_location(finding)
        at = link(self._context.lines.get(finding.fingerprint), code(place, limit=500)) if place else None
        if finding.message == finding.check.message:
            return el("li", at)
        rule = f"{escape(finding.rule, limit=100)}: " if finding.rule else ""
        return el("li", at, " " if place else None, *paragraph(finding.message, limit=2000, before=rule))

    def _evidence(self, refs: Sequence[EvidenceRef]) -> Element:
        items = [self._reference(ref) for ref in refs[:_EVIDENCE_SHOWN]]
        if len(refs) > _EVIDENCE_SHOWN:
            items.append(el("li", f"… and {len(refs) - _EVIDENCE_SHOWN:,} more"))
        return el("ul", *items)

    def _reference(self, ref: EvidenceRef) -> Element:
        place = self._context.artifacts.of(ref.artifact, ref.pointer)
        pointer = f" {escape(ref.pointer, limit=200)}" if ref.pointer else ""
        cited = link(place, code(f"{escape(ref.artifact, limit=120)}{pointer}", limit=2000))
        digest = el("span", " sha256 ", code(ref.sha256[:12]), class_="dim")
        if not ref.pointer and ref.value is None:
            return el("li", cited, digest)
        return el("li", cited, " = ", code(escape_value(ref.value, limit=600), limit=4000), digest)
