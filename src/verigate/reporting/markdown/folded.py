"""List the folded sections: each problem with its facts, weakenings, cells, approvals, notes, what was verified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verigate.domain.verdict import Check, CheckOutcome, UnitOutcome
from verigate.reporting.approvals import list_approvals
from verigate.reporting.cells import CELLS, LEGEND, CellRow, list_cells
from verigate.reporting.check_lines import CheckLines, format_counts
from verigate.reporting.compared import shown_actual
from verigate.reporting.escape import escape_value
from verigate.reporting.finding_headline import format_headline, format_location
from verigate.reporting.findings import Level, ReportFinding, ReportFindings
from verigate.reporting.grouping import group_checks, is_problem
from verigate.reporting.markdown.spans import code_span, format_text
from verigate.reporting.policy_source import name_policy_ref
from verigate.reporting.report import Report
from verigate.reporting.subject_names import describe_subject
from verigate.reporting.text import format_evidence
from verigate.reporting.weakenings import count_weakenings, list_notices, list_weakenings

_FINDINGS_SHOWN = 20
_EVIDENCE_SHOWN = 3
_NAMES_SHOWN = 200
_CELLS_SHOWN = 200

Section = tuple[str, Sequence[str]]
"""A title in the gate's own words, and the entries below it."""


def list_sections(report: Report, found: ReportFindings) -> Iterator[Section]:
    """List the sections that have entries, what matters most first."""
    verdict = report.verdict
    problems = [check for group in group_checks(report.checks) for check in group.problems]
    listed, accounts = found.by_check(), CheckLines(verdict)
    weaker = list(_weakening_lines(report)) if verdict.weakenings is not None else []
    cells = list(_cell_lines(report))
    approvals = list(list_approvals(verdict)) if verdict.approvals is not None else []
    notes = list(_note_lines(report, found))
    sections = (
        (
            f"All problems, with evidence and commands: {len(problems)}",
            [_format_problem(check, accounts, listed.get(check.id, ())) for check in problems],
        ),
        (f"Weakened checks: {count_weakenings(verdict)}", weaker),
        ("Tests on both versions of the code", cells),
        ("Approvals", [f"- {word} {code_span(line, limit=1000)}" for word, line in approvals]),
        (f"Notes: {len(notes)}", notes),
        (f"What was verified: {format_counts(report.checks)}", list(_subject_lines(report))),
    )
    yield from ((title, entries) for title, entries in sections if entries)


def _format_problem(check: Check, accounts: CheckLines, listed: Sequence[ReportFinding]) -> str:
    outcome = check.outcome.value.replace("_", " ")
    weight = "" if check.holds_back else " (reported only)"
    head = f"- **{outcome}**{weight} {code_span(check.reason or 'none', limit=40)} {code_span(check.id, limit=200)}"
    return "\n".join([head, *(f"  - {line}" for line in _fact_lines(check, accounts, listed))])


def _fact_lines(check: Check, accounts: CheckLines, listed: Sequence[ReportFinding]) -> Iterator[str]:
    if check.message:
        yield format_text(code_span(check.message.strip().partition("\n")[0], limit=600), check.message)
    yield f"expected {code_span(escape_value(check.expected))}, actual {code_span(escape_value(shown_actual(check)))}"
    own = [finding for finding in listed if finding.message != check.message and finding.level is not Level.NOTE]
    yield from (format_text(code_span(format_headline(finding)), finding.message) for finding in own[:_FINDINGS_SHOWN])
    if len(own) > _FINDINGS_SHOWN:
        yield f"… and {len(own) - _FINDINGS_SHOWN} more"
    yield from (
        f"at {code_span(format_location(finding))}"
        for finding in listed
        if finding.message == check.message and finding.path
    )
    # The findings listed above already show the evidence with its locations.
    shown = check.evidence[: 1 if own else _EVIDENCE_SHOWN]
    yield from (f"evidence {code_span(format_evidence(ref))}" for ref in shown)
    yield f"reproduce {code_span(accounts.reproduction(check))}"


def _weakening_lines(report: Report) -> Iterator[str]:
    for item in list_weakenings(report.verdict):
        yield f"- {item.word} {code_span(item.text, limit=1000)}"
        if item.line:
            yield f"  - {code_span(item.line, limit=5000)}"
    yield from (f"- {code_span(notice)}" for notice in list_notices(report.verdict))


def _cell_lines(report: Report) -> Iterator[str]:
    found = list_cells(report, most=_CELLS_SHOWN)
    if found is None or not found.rows:
        return
    yield f"The first letter is the code, the second the form of the test: base or head. {LEGEND}.\n"
    yield from map(_format_cells, found.rows)
    if found.left_out:
        yield f"- … and {found.left_out} more in {code_span(found.artifact)}"


def _format_cells(row: CellRow) -> str:
    outcomes = " · ".join(f"{name} {code_span(runs, limit=12)}" for name, runs in zip(CELLS, row.cells, strict=True))
    return f"- {code_span(row.test, limit=300)} {code_span(row.kind, limit=40)}: {outcomes}"


def _note_lines(report: Report, found: ReportFindings) -> Iterator[str]:
    yield from (f"- {code_span(sentence, limit=2000)}" for sentence in report.sentences)
    for finding in found.listed:
        if finding.level is Level.NOTE and not is_problem(finding.check) and finding.check.accounted is None:
            yield f"- {code_span(format_headline(finding))}"


def _subject_lines(report: Report) -> Iterator[str]:
    verdict = report.verdict
    about = {
        "task": verdict.task_id,
        "type": verdict.type,
        "profile": verdict.policy.get("profile"),
        "policy": name_policy_ref(verdict),
    }
    yield "- " + " · ".join(f"{name} {code_span(str(value), limit=64)}" for name, value in about.items() if value)
    parts = [
        " ".join([label, code_span(text), *([code_span(remark)] if remark else [])])
        for label, text, remark in describe_subject(verdict)
    ]
    if parts:
        yield f"- {' · '.join(parts)}"
    yield f"- checks: {format_counts(report.checks)}"
    units = verdict.units
    if units.per_unit or units.expected is not None:
        outcomes = [f"{units.count(outcome)} {outcome.value}" for outcome in UnitOutcome]
        expected = [] if units.expected is None else [f"{units.expected} expected"]
        yield f"- units: {' · '.join([*outcomes, *expected])}"
    for word, outcome in (("hold", CheckOutcome.HOLDS), ("don't apply", CheckOutcome.NOT_APPLICABLE)):
        names = [code_span(check.id, limit=120) for check in report.checks if check.outcome is outcome]
        if names:
            more = f" … and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
            yield f"- {word}: {', '.join(names[:_NAMES_SHOWN])}{more}"
