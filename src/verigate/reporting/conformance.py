"""Render the report of the conformance kit, as text and as a JSON document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from verigate.domain.conformance import (
    TOOLS_MISSING,
    Conformance,
    ConformanceAnswer,
    ConformanceCheck,
    ConformanceFinding,
)
from verigate.reporting.escape import escape
from verigate.reporting.layout import wrap
from verigate.reporting.palette import Palette

CONFORMANCE_SCHEMA = "verigate:conformance-report.v1"
CONFORMANCES_SCHEMA = "verigate:conformance-reports.v1"
_LIMIT = 1000
_WORDS = {0: ("CONFORMING", "green"), 1: ("NOT CONFORMING", "red"), 3: ("NOT CHECKED", "yellow")}


def combine_exit_codes(reports: Sequence[Conformance]) -> int:
    """Combine exit codes: 1 if any adapter has findings, else 3 if any check could not run or there is no adapter."""
    codes = {report.exit_code for report in reports} or {3}
    return 1 if 1 in codes else max(codes)


def render(reports: Sequence[Conformance], *, colour: bool = False, width: int = 100) -> str:
    """Render each adapter: heading, findings, checks that were not run, a line per capability, conditions.

    Conditions that several adapters share are printed once, at the end.
    """
    palette = Palette(colour)
    lines: list[str] = []
    several = len(reports) != 1
    shared = [
        line
        for line in _format_conditions(reports[0])
        if several and all(line in _format_conditions(each) for each in reports)
    ]
    for report in reports:
        lines += _adapter_lines(report, palette, width)
        own = [line for line in _format_conditions(report) if line not in shared]
        lines += [*([""] if own else []), *(palette.paint(line, "dim") for line in own), ""]
    if several:
        lines += [*(palette.paint(line, "dim") for line in shared), ""]
        lines.append(f"{len(reports)} adapters: {_format_tally(reports)}")
    return "\n".join(lines).rstrip("\n") + "\n"


def _adapter_lines(report: Conformance, palette: Palette, width: int) -> Iterator[str]:
    word, shade = _WORDS[report.exit_code]
    if not report.capabilities and report.left_out and not report.findings:
        word, shade = "LEFT OUT", "yellow"
    named = f"{escape(report.adapter, limit=60)} {escape(report.version, limit=20)}".rstrip()
    yield from (f"{palette.paint(word, 'bold', shade)}  {named} · {format_summary(report)}", "")
    if missing := report.conditions.get(TOOLS_MISSING):
        # Before the findings, since it may be the cause of all of them.
        yield from (
            palette.paint(f"{TOOLS_MISSING}: {escape(missing)}", "yellow"),
            "    try: install them, since what needs them fails",
            "",
        )
    for finding in report.findings:
        yield from _finding_lines(finding, palette, width)
    for note in report.notes:
        yield from _finding_lines(note, palette, width, note=True)
    for group in _group_not_run(report.of(ConformanceAnswer.NOT_RUN)):
        yield from _not_run_lines(group, palette, width)
    if report.run_for(None) and report.capabilities:
        yield _format_capability(None, report, palette)
    for name in report.capabilities:
        yield _format_capability(name, report, palette)
    for name in report.left_out:
        yield f"{palette.paint('-', 'yellow')} {escape(name, limit=100)}  left out: its program needn't be there"


def _format_tally(reports: Sequence[Conformance]) -> str:
    counts = Counter(report.exit_code for report in reports)
    named = {0: "conforming", 1: "not conforming", 3: "not checked"}
    return ", ".join(f"{counts[code]} {words}" for code, words in named.items() if counts[code])


def format_summary(report: Conformance) -> str:
    """Summarise the checks: how many ran, in how many calls, how many findings."""
    ran = sum(checked.answer in {ConformanceAnswer.HOLDS, ConformanceAnswer.REFUTED} for checked in report.checked)
    parts = [f"{ran} checks in {report.calls} calls", f"{len(report.findings)} findings"]
    not_run, left_out = len(report.of(ConformanceAnswer.NOT_RUN)), len(report.left_out)
    parts += [f"{len(report.notes)} notes"] if report.notes else []
    parts += [f"{not_run} not run"] if not_run else []
    return " · ".join([*parts, *([f"{left_out} left out"] if left_out else [])])


def _finding_lines(finding: ConformanceFinding, palette: Palette, width: int, *, note: bool = False) -> Iterator[str]:
    mark = palette.paint("·", "yellow") + " note" if note else palette.paint("✗", "red")
    about = " · ".join(escape(part, limit=100) for part in (finding.capability, finding.fixture) if part)
    yield f"{mark} {palette.paint(finding.code, 'bold')}{f'  {about}' if about else ''}"
    yield from wrap(escape(finding.message, limit=_LIMIT), width, indent="    ")
    yield from wrap(f"try: {finding.fix}", width, indent="    ")
    yield ""


def _group_not_run(not_run: Iterable[ConformanceCheck]) -> Iterable[list[ConformanceCheck]]:
    """Group the checks of one capability that were not run for the same reason."""
    groups: dict[tuple[str | None, str], list[ConformanceCheck]] = {}
    for checked in not_run:
        groups.setdefault((checked.capability, checked.why), []).append(checked)
    return groups.values()


def _not_run_lines(group: list[ConformanceCheck], palette: Palette, width: int) -> Iterator[str]:
    checked = group[0]
    about = f"  {escape(checked.capability, limit=100)}" if checked.capability else ""
    yield f"{palette.paint('?', 'yellow')} {palette.paint('not run', 'bold')}{about}"
    yield from wrap(", ".join(each.check for each in group), width, indent="    ")
    yield from wrap(f"because {escape(checked.why, limit=_LIMIT)}", width, indent="    ")
    if checked.hint:
        yield from wrap(f"try: {escape(checked.hint, limit=_LIMIT)}", width, indent="    ")
    yield ""


def _format_capability(name: str | None, report: Conformance, palette: Palette) -> str:
    own = [checked for checked in report.checked if checked.capability == name]
    refuted = sum(checked.answer is ConformanceAnswer.REFUTED for checked in own)
    not_run = sum(checked.answer is ConformanceAnswer.NOT_RUN for checked in own)
    mark, shade = (
        ("✗", "red") if refuted else ("?", "yellow") if not_run or not report.run_for(name) else ("✓", "green")
    )
    counts = [f"{report.run_for(name)} checks run", *([f"{refuted} refuted"] if refuted else [])]
    counts += [f"{not_run} not run"] if not_run else []
    idle = [checked.check for checked in own if checked.answer is ConformanceAnswer.NOT_ASKED]
    counts += [f"not asked: {', '.join(idle)}"] if idle else []
    shown = "the adapter itself" if name is None else escape(name, limit=100)
    return f"{palette.paint(mark, shade)} {shown}  {' · '.join(counts)}"


def _format_conditions(report: Conformance) -> Iterator[str]:
    if report.fixtures:
        yield f"fixtures: {', '.join(escape(name, limit=60) for name in report.fixtures)}"
    for name, value in report.conditions.items():
        if name != TOOLS_MISSING:
            yield f"{name}: {escape(value)}"


def document(reports: Sequence[Conformance]) -> dict[str, Any]:
    """The JSON document: of the single adapter, or a list of those of all adapters."""
    if len(reports) == 1:
        return _document(reports[0])
    adapters = [_document(report) for report in reports]
    return {"schema": CONFORMANCES_SCHEMA, "exit_code": combine_exit_codes(reports), "adapters": adapters}


def _document(report: Conformance) -> dict[str, Any]:
    return {
        "schema": CONFORMANCE_SCHEMA,
        "adapter": report.adapter,
        "version": report.version,
        "folder": report.folder,
        "exit_code": report.exit_code,
        "calls": report.calls,
        "capabilities": {name: {"checks_run": report.run_for(name)} for name in report.capabilities},
        "left_out": list(report.left_out),
        "fixtures": list(report.fixtures),
        "conditions": dict(report.conditions),
        "findings": [_describe_finding(finding) for finding in report.findings],
        "notes": [_describe_finding(note) for note in report.notes],
        "checks": [
            {
                "check": checked.check,
                "asks": checked.asks,
                "capability": checked.capability,
                "answer": checked.answer.value,
                "codes": [finding.code for finding in checked.findings],
                "notes": [note.code for note in checked.notes],
                "why": checked.why or None,
                "hint": checked.hint or None,
            }
            for checked in report.checked
        ],
    }


def _describe_finding(finding: ConformanceFinding) -> dict[str, str | None]:
    return {
        "code": finding.code,
        "message": finding.message,
        "fix": finding.fix,
        "capability": finding.capability,
        "fixture": finding.fixture,
    }
