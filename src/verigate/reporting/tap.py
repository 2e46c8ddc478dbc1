"""Render Test Anything Protocol 13 (https://testanything.org): a test point per check, its facts in a YAML block."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from verigate.domain.verdict import Check, CheckOutcome
from verigate.reporting.check_lines import CheckLines, format_title, list_warnings
from verigate.reporting.escape import escape
from verigate.reporting.findings import collect_findings
from verigate.reporting.report import Report, holds_back
from verigate.reporting.status_summary import summarise_status

_VERSION = "TAP version 13"


def render(report: Report) -> str:
    """Render checks: ``ok`` if they hold, ``not ok`` for problems, ``# SKIP`` if not applicable or only reported."""
    verdict = report.verdict
    checks, found, accounts = report.checks, collect_findings(report), CheckLines(verdict)
    listed = found.by_check()
    lines = [_VERSION, f"1..{len(checks)}"]
    lines.append(f"# {verdict.status.value.upper()} {escape(verdict.task_id)}: {summarise_status(verdict)}")
    lines += [f"# {escape(notice, limit=1000)}" for notice in report.sentences]
    lines += [f"# {line}" for line in list_warnings(found)]
    for number, check in enumerate(checks, start=1):
        lines.append(_format_point(number, check))
        if check.outcome not in {CheckOutcome.HOLDS, CheckOutcome.NOT_APPLICABLE}:
            lines += _yaml_block(check, accounts.lines(check, listed.get(check.id, ())))
    return "\n".join(lines) + "\n"


def render_nothing(why: str) -> str:
    """Render a plan without tests, skipped."""
    return f"{_VERSION}\n1..0 # SKIP {_format_description(why)}\n"


def _format_point(number: int, check: Check) -> str:
    ok = "not ok" if holds_back(check) else "ok"
    name = _format_description(check.id)
    if check.outcome is CheckOutcome.HOLDS or holds_back(check):
        return f"{ok} {number} - {name}"
    return f"{ok} {number} - {name} # SKIP {_format_description(check.message or format_title(check))}"


def _format_description(text: str) -> str:
    """Format one line without TAP syntax: ``#`` starts a directive (SKIP), a final ``{`` a subtest."""
    line = escape(text, limit=200).replace("#", "\N{MUSIC SHARP SIGN}")
    return f"{line}." if line.endswith("{") else line


def _yaml_block(check: Check, account: Iterable[str]) -> Iterator[str]:
    # JSON strings are valid YAML; pure ASCII, so that no reader finds other line ends in them.
    yield "  ---"
    yield f"  outcome: {json.dumps(format_title(check))}"
    yield f"  severity: {'fail' if holds_back(check) else 'comment'}"
    yield "  facts:"
    yield from (f"    - {json.dumps(line)}" for line in account)
    yield "  ..."
