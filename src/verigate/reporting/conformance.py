"""What the conformance kit found, as text for people and as a JSON value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from verigate.domain.conformance import Answer, Checked, Conformance, Finding
from verigate.reporting.escape import escape
from verigate.reporting.layout import wrap
from verigate.reporting.palette import Palette

CONFORMANCE_SCHEMA = "verigate:conformance-report.v1"
_LIMIT = 1000
_WORDS = {0: ("CONFORMING", "green"), 1: ("NOT CONFORMING", "red"), 3: ("NOT CHECKED", "yellow")}


def render(report: Conformance, *, colour: bool = False, width: int = 100) -> str:
    """A heading, the findings, what was not run, a line per capability with its number of checks, the conditions."""
    palette = Palette(colour)
    word, shade = _WORDS[report.exit_code]
    named = f"{escape(report.adapter, limit=60)} {escape(report.version, limit=20)}".rstrip()
    lines = [f"{palette.paint(word, 'bold', shade)}  {named} · {summary(report)}", ""]
    for finding in report.findings:
        lines += _finding(finding, palette, width)
    for group in _alike(report.of(Answer.NOT_RUN)):
        lines += _not_run(group, palette, width)
    for name in report.capabilities:
        lines.append(_capability(name, report, palette))
    lines += ["", *(palette.paint(line, "dim") for line in _conditions(report))]
    return "\n".join(lines).rstrip("\n") + "\n"


def summary(report: Conformance) -> str:
    """How many checks were run, in how many calls, and what came of them."""
    ran = sum(checked.answer in {Answer.HOLDS, Answer.REFUTED} for checked in report.checked)
    parts = [f"{ran} checks in {report.calls} calls", f"{len(report.findings)} findings"]
    not_run = len(report.of(Answer.NOT_RUN))
    return " · ".join([*parts, *([f"{not_run} not run"] if not_run else [])])


def _finding(finding: Finding, palette: Palette, width: int) -> Iterator[str]:
    about = " · ".join(escape(part, limit=100) for part in (finding.capability, finding.fixture) if part)
    yield f"{palette.paint('✗', 'red')} {palette.paint(finding.code, 'bold')}{f'  {about}' if about else ''}"
    yield from wrap(escape(finding.message, limit=_LIMIT), width, indent="    ")
    yield from wrap(f"try: {finding.fix}", width, indent="    ")
    yield ""


def _alike(not_run: Iterable[Checked]) -> Iterable[list[Checked]]:
    """Checks of one capability that were not run for the same reason, together."""
    groups: dict[tuple[str | None, str], list[Checked]] = {}
    for checked in not_run:
        groups.setdefault((checked.capability, checked.why), []).append(checked)
    return groups.values()


def _not_run(group: list[Checked], palette: Palette, width: int) -> Iterator[str]:
    checked = group[0]
    about = f"  {escape(checked.capability, limit=100)}" if checked.capability else ""
    yield f"{palette.paint('?', 'yellow')} {palette.paint('not run', 'bold')}{about}"
    yield from wrap(", ".join(each.check for each in group), width, indent="    ")
    yield from wrap(f"because {escape(checked.why, limit=_LIMIT)}", width, indent="    ")
    if checked.hint:
        yield from wrap(f"try: {escape(checked.hint, limit=_LIMIT)}", width, indent="    ")
    yield ""


def _capability(name: str, report: Conformance, palette: Palette) -> str:
    own = [checked for checked in report.checked if checked.capability == name]
    refuted = sum(checked.answer is Answer.REFUTED for checked in own)
    not_run = sum(checked.answer is Answer.NOT_RUN for checked in own)
    mark, shade = (
        ("✗", "red") if refuted else ("?", "yellow") if not_run or not report.run_for(name) else ("✓", "green")
    )
    counts = [f"{report.run_for(name)} checks run", *([f"{refuted} refuted"] if refuted else [])]
    counts += [f"{not_run} not run"] if not_run else []
    idle = [checked.check for checked in own if checked.answer is Answer.NOT_ASKED]
    counts += [f"not asked: {', '.join(idle)}"] if idle else []
    return f"{palette.paint(mark, shade)} {escape(name, limit=100)}  {' · '.join(counts)}"


def _conditions(report: Conformance) -> Iterator[str]:
    if report.fixtures:
        yield f"fixtures: {', '.join(escape(name, limit=60) for name in report.fixtures)}"
    for name, value in report.conditions.items():
        yield f"{name}: {escape(value)}"


def document(report: Conformance) -> dict[str, Any]:
    """The same as a JSON value."""
    return {
        "schema": CONFORMANCE_SCHEMA,
        "adapter": report.adapter,
        "version": report.version,
        "folder": report.folder,
        "exit_code": report.exit_code,
        "calls": report.calls,
        "capabilities": {name: {"checks_run": report.run_for(name)} for name in report.capabilities},
        "fixtures": list(report.fixtures),
        "conditions": dict(report.conditions),
        "findings": [
            {
                "code": finding.code,
                "message": finding.message,
                "fix": finding.fix,
                "capability": finding.capability,
                "fixture": finding.fixture,
            }
            for finding in report.findings
        ],
        "checks": [
            {
                "check": checked.check,
                "asks": checked.asks,
                "capability": checked.capability,
                "answer": checked.answer.value,
                "codes": [finding.code for finding in checked.findings],
                "why": checked.why or None,
                "hint": checked.hint or None,
            }
            for checked in report.checked
        ],
    }
