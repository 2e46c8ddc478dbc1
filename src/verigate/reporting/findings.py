"""Collect the findings of a report, each with its location: what SARIF, annotations and code quality list.

One check may stand for thousands of findings: every lint issue, every failing test. They are listed in the artifact
that the check cites. Findings that fail no check (a lint warning within the limit, a mild finding of the integrity
check) are reported as notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from verigate.domain import fingerprint
from verigate.domain.artifact import Artifact
from verigate.domain.baseline import LINT, match_issues
from verigate.domain.evidence_weakenings import COUNTERFACTUAL
from verigate.domain.verdict import Check, CheckOutcome
from verigate.formats.pointer import join
from verigate.reporting.escape import escape
from verigate.reporting.finding_lists import LISTINGS, NOTED, ListedItem, list_items, list_members
from verigate.reporting.grouping import is_problem
from verigate.reporting.report import Report

if TYPE_CHECKING:
    from verigate.domain.baseline import BaselineEntry

MAX_FINDINGS = 25_000
"""Most findings listed: the limit of GitHub for a SARIF file. An artifact can hold a million."""


class Level(StrEnum):
    """Severity of a finding: ``error`` (refuted or in error), ``warning`` (undecided), ``note`` (reported only)."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class ReportFinding(Struct, frozen=True):
    """One problem or note at one location.

    ``message`` is foreign text, not escaped. ``path`` is relative to the repository's root, None if the finding isn't
    about a file; ``line`` and ``column`` count from 1. ``rule`` is the tool's name for it. ``fingerprint`` (64 hex
    digits) is unique in a report and survives moved lines. ``severity`` is the tool's, None where it has none.
    ``entry`` is the baseline entry that suppresses it. ``weight`` and ``id`` are those of a finding of
    ``code:integrity``.
    """

    check: Check
    level: Level
    message: str
    path: str | None
    line: int | None
    column: int | None
    rule: str | None
    fingerprint: str
    entry: BaselineEntry | None = None
    severity: str | None = None
    weight: str | None = None
    id: str | None = None

    @property
    def code(self) -> str:
        """The reason code of its check; for a suppressed finding, the code that it would have."""
        accounted = self.check.accounted
        if accounted is not None and accounted.by != "evidence":
            return "APPROVED" if accounted.by == "approval" else "WEAKENING_DISCLOSED"
        return self.check.reason or ("LINT_FAIL" if self.entry is not None else "CLAIM_UNSUPPORTED")

    @property
    def sentence(self) -> str:
        """One escaped line: rule and message, and the message of the check that fails because of it."""
        text = escape(self.message, limit=1000)
        if self.rule:
            text = f"{escape(self.rule, limit=100)}: {text}"
        about = escape(self.check.message, limit=500) if self.entry is None else ""
        return f"{text} ({about})" if about and self.message != self.check.message else text


class ReportFindings(Struct, frozen=True):
    """Findings by severity; ``left_out`` counts those beyond MAX_FINDINGS.

    ``covered`` are the findings that a baseline suppresses, as far as there is room; they aren't in ``listed``.
    """

    listed: tuple[ReportFinding, ...]
    left_out: int = 0
    covered: tuple[ReportFinding, ...] = ()

    def by_check(self) -> dict[str, list[ReportFinding]]:
        """Group the findings by check id."""
        found: dict[str, list[ReportFinding]] = {}
        for finding in self.listed:
            found.setdefault(finding.check.id, []).append(finding)
        return found


def collect_findings(report: Report) -> ReportFindings:
    """Collect the findings of a report: for each problem the members its artifacts list, or itself; then the notes."""
    collector = _Collector(report)
    for check in report.checks:
        if is_problem(check):
            collector.add(check)
    collector.add_notes()
    order = list(Level)
    listed = sorted(collector.found, key=lambda finding: order.index(finding.level))
    covered = tuple(collector.covered[: max(MAX_FINDINGS - len(listed), 0)])
    return ReportFindings(tuple(listed[:MAX_FINDINGS]), len(listed[MAX_FINDINGS:]) + collector.beyond, covered)


def level_of(check: Check) -> Level:
    """The severity of a check that is a problem."""
    if not check.holds_back:
        return Level.NOTE
    return Level.WARNING if check.outcome is CheckOutcome.UNKNOWN else Level.ERROR


def is_warning(finding: ReportFinding) -> bool:
    """Whether no check fails because of a finding, and it is no mere fact for the record."""
    if finding.check.accounted is not None:
        # Reports list weakenings by themselves.
        return False
    return finding.level is Level.NOTE and not is_problem(finding.check) and finding.severity != "info"


class _Collector:
    def __init__(self, report: Report) -> None:
        self.found: list[ReportFinding] = []
        self.covered: list[ReportFinding] = []
        self.beyond = 0
        self._artifacts = report.artifacts
        self._checks = report.checks
        thresholds = report.verdict.policy.get("thresholds")
        self._redirects_pass = isinstance(thresholds, Mapping) and bool(thresholds.get("treat_3xx_as_pass"))
        self._listed_places: set[tuple[str, str]] = set()
        self._listed_messages: set[tuple[str, str, str]] = set()
        self._alike: dict[str, int] = {}
        self._entries = _suppressed_places(report)
        self._known = _known_places(report)
        self._accounted = {
            (ref.artifact, ref.pointer): check for check in self._checks if check.accounted for ref in check.evidence
        }

    def add(self, check: Check) -> None:
        """Add the findings of one problem."""
        listed = 0
        for place, item in list_items(check, self._artifacts, redirects_pass=self._redirects_pass):
            if place in self._entries or place in self._known or self._accounted.get(place, check) is not check:
                continue
            listed += 1
            # Two rules may count the same issues: list them once, but list each different message at a place.
            if (*place, item.message) not in self._listed_messages:
                self._listed_messages.add((*place, item.message))
                self._listed_places.add(place)
                self._put(check, level_of(check), item)
        counted = check.actual if isinstance(check.actual, int) and not isinstance(check.actual, bool) else listed
        if not listed or listed < counted:
            self._put(check, level_of(check), ListedItem(check.message))

    def add_notes(self) -> None:
        """Add findings of linters and of the integrity check that fail no check."""
        for check in self._checks:
            if check.accounted is not None and not check.evidence:
                # Policy that is approved has no place in the evidence.
                self._put(check, Level.NOTE, ListedItem(check.message))
        own = [check for check in self._checks if check.accounted is None]
        by_spec = {spec: check for spec in NOTED for check in own if _cites_spec(check, spec, self._artifacts)}
        for spec, check in by_spec.items():
            for artifact in _artifacts_of_spec(self._artifacts, spec):
                for place, item in list_members(artifact, LISTINGS[spec]):
                    if place not in self._listed_places:
                        self._listed_places.add(place)
                        self._put(self._accounted.get(place, check), Level.NOTE, item, self._entries.get(place))
        for artifact in _artifacts_of_spec(self._artifacts, COUNTERFACTUAL) if self._accounted else ():
            for place, item in list_members(artifact, LISTINGS[COUNTERFACTUAL]):
                if place in self._accounted and place not in self._listed_places:
                    self._put(self._accounted[place], Level.NOTE, item)

    def _put(self, check: Check, level: Level, item: ListedItem, entry: BaselineEntry | None = None) -> None:
        if len(self.found) > 2 * MAX_FINDINGS:
            self.beyond += 1
            return
        known_as = item.known_as
        if known_as is None:
            # The message of a check contains counts, and another count is still the same finding.
            text = "" if item.message == check.message else item.message
            known_as = fingerprint.compute_fingerprint(
                check.id, check.reason or "", item.path or "", item.rule or "", text
            )
        alike = self._alike.get(known_as, 0)
        self._alike[known_as] = alike + 1
        finding = ReportFinding(
            check,
            level,
            item.message,
            item.path,
            item.line,
            item.column,
            item.rule,
            fingerprint.number_fingerprint(known_as, alike),
            entry,
            item.severity,
            item.weight,
            item.id,
        )
        (self.found if entry is None else self.covered).append(finding)


def _suppressed_places(report: Report) -> dict[tuple[str, str], BaselineEntry]:
    """The findings that the baseline suppresses: place in the evidence -> entry."""
    if report.baseline is None:
        return {}
    baseline = report.baseline
    return {
        (artifact.path, join(LISTINGS[LINT].member, index)): baseline.entries[number]
        for artifact in _artifacts_of_spec(report.artifacts, LINT)
        for index, number in match_issues(baseline, artifact).covered.items()
    }


def _known_places(report: Report) -> frozenset[tuple[str, str]]:
    """The places of known failing tests, which the baseline leaves out."""
    account = report.verdict.policy.get("baseline")
    tests = account.get("tests") if isinstance(account, dict) else None
    if report.baseline is None or not isinstance(tests, dict):
        return frozenset()
    from verigate.domain.known_failures import find_covered  # imported late: few baselines have tests

    return frozenset(
        (artifact.path, join("failures", index))
        for artifact in _artifacts_of_spec(report.artifacts, "verigate:tests.v1")
        for index in find_covered(report.baseline.tests, report.baseline.judged_on, artifact, tests.get("touched"))
    )


def _cites_spec(check: Check, spec: str, artifacts: Mapping[str, Artifact]) -> bool:
    cited = (artifacts.get(ref.artifact) for ref in check.evidence)
    return not check.id.startswith("capability:") and any(a is not None and a.media_spec == spec for a in cited)


def _artifacts_of_spec(artifacts: Mapping[str, Artifact], spec: str) -> list[Artifact]:
    return [artifacts[path] for path in sorted(artifacts) if artifacts[path].media_spec == spec]
