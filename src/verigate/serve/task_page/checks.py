"""Describe the checks of a verdict, with the facts that they cite and the findings below them."""

from __future__ import annotations

import re

from verigate.domain.verdict import Check, EvidenceRef, shorten_cited
from verigate.reporting.check_lines import CheckLines, format_title
from verigate.reporting.compared import shown_actual
from verigate.reporting.escape import escape
from verigate.reporting.explain import Excerpt, excerpt_value
from verigate.reporting.finding_headline import format_headline, format_location
from verigate.reporting.findings import Level, ReportFinding, collect_findings
from verigate.reporting.grouping import group_checks, is_problem
from verigate.reporting.reasons import REASONS
from verigate.reporting.report import Report
from verigate.serve.addresses import artifact_address, check_anchor, name_anchor, pointer_anchor
from verigate.serve.task_page.model import CheckGroup, CheckView, CitedFact, FindingLines, ListedFinding

MOST_CHECKS = 3000
MOST_FACTS = 20
MOST_FINDINGS = 200
MOST_LINES = 1000
_EXCERPT_LINES = 12
_LINES = re.compile(r"#(?:lines=|(?P<file>.+):)(?P<first>\d+)-\d+", re.DOTALL)
"""How a verifier's answer cites lines."""

_TITLES = {"capability": "capabilities", "unit": "units"}


class CheckViews:
    """The views of one report's checks; ``left_out`` counts those beyond MOST_CHECKS."""

    def __init__(self, report: Report, repository: str, task_id: str) -> None:
        self._report = report
        self._place = (repository, task_id)
        self._artifacts = report.artifacts
        self._lines = CheckLines(report.verdict)
        self._all = collect_findings(report)
        self._found = self._all.by_check()
        self.left_out = max(0, len(report.checks) - MOST_CHECKS)

    def groups(self) -> tuple[CheckGroup, ...]:
        """The groups of checks, in the order of the reports."""
        room, found = MOST_CHECKS, []
        for group in group_checks(self._report.checks):
            shown = group.checks[:room]
            room -= len(shown)
            if shown:
                name = _TITLES.get(group.name, group.name)
                found.append(CheckGroup(name, tuple(self._describe(check) for check in shown)))
        return tuple(found)

    def anchor(self, check_id: str) -> str:
        """The id of a check on the page; empty if the verdict has none of that id."""
        return check_anchor(check_id) if self._report.verdict.check(check_id) is not None else ""

    def cited_facts(self, check: Check) -> tuple[CitedFact, ...]:
        """The facts that a check cites, at most MOST_FACTS."""
        return tuple(self._describe_fact(ref) for ref in check.evidence[:MOST_FACTS])

    def list_notes(self) -> FindingLines:
        """What was found and no check fails because of."""
        found = [
            format_headline(one)
            for one in self._all.listed
            if one.level is Level.NOTE and not is_problem(one.check) and one.check.accounted is None
        ]
        return FindingLines(tuple(found[:MOST_LINES]), max(0, len(found) - MOST_LINES) + self._all.left_out)

    def list_covered(self) -> FindingLines:
        """What entries of the baseline suppress, each with its date and reason."""
        found = [
            f"{format_headline(one)} (until {one.entry.expires}: {escape(one.entry.reason, limit=300)})"
            for one in self._all.covered
            if one.entry is not None
        ]
        return FindingLines(tuple(found[:MOST_LINES]), max(0, len(found) - MOST_LINES))

    def _describe(self, check: Check) -> CheckView:
        problem = is_problem(check)
        listed = [one for one in self._found.get(check.id, ()) if one.message != check.message or one.path]
        known = REASONS.get(check.reason or "")
        return CheckView(
            check.id,
            check_anchor(check.id),
            check.outcome.value,
            problem,
            format_title(check),
            check.message,
            known.meaning.replace("`", "") if known is not None else "",
            shorten_cited(check.expected),
            shorten_cited(shown_actual(check)),
            self.cited_facts(check),
            max(0, len(check.evidence) - MOST_FACTS),
            tuple(map(_describe_finding, listed[:MOST_FINDINGS])),
            max(0, len(listed) - MOST_FINDINGS),
            self._lines.commands(check) if problem else (),
        )

    def _describe_fact(self, ref: EvidenceRef) -> CitedFact:
        excerpt = self._excerpt(ref)
        href = ""
        if ref.artifact in self._artifacts:
            href = f"{artifact_address(*self._place, ref.artifact)}{_find_place(ref.pointer)}"
        return CitedFact(
            ref.artifact,
            ref.pointer,
            shorten_cited(ref.value),
            ref.sha256,
            href,
            excerpt.lines,
            excerpt.left_out,
            excerpt.note,
        )

    def _excerpt(self, ref: EvidenceRef) -> Excerpt:
        artifact = self._artifacts.get(ref.artifact)
        # Of a whole artifact the link says enough.
        if artifact is None or not artifact.is_json or not ref.pointer:
            return Excerpt(ref)
        return excerpt_value(ref, artifact.value, max_lines=_EXCERPT_LINES)


def _find_place(pointer: str) -> str:
    """Return where on an artifact's page a citation leads: a pointer of JSON, or lines of a patch or a text."""
    if not pointer:
        return ""
    if (cited := _LINES.fullmatch(pointer)) is None:
        return f"#{pointer_anchor(pointer)}"
    return f"#{name_anchor('file', cited['file'])}" if cited["file"] is not None else f"#L{cited['first']}"


def _describe_finding(finding: ReportFinding) -> ListedFinding:
    message = "" if finding.message == finding.check.message else finding.message
    return ListedFinding(finding.level.value, format_location(finding), finding.rule or "", message[:2000])
