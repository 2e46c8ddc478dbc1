"""Render workflow commands, which GitHub Actions turns into annotations.

https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands; the escapes are those of
``@actions/core``.
"""

from __future__ import annotations

from verigate.domain.verdict import Status
from verigate.reporting.check_lines import CheckLines
from verigate.reporting.escape import escape, escape_value
from verigate.reporting.findings import Level, ReportFinding, collect_findings
from verigate.reporting.report import Report
from verigate.reporting.status_summary import summarise_status

PER_LEVEL = 10
"""Annotations per level that GitHub keeps for a step. Its limit of 50 per job isn't reached by three levels."""

_COMMAND = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}
_IN_TEXT = "%\r\n"
_IN_PROPERTIES = "%\r\n:,"
_OF_STATUS = {Status.PASS: Level.NOTE, Status.INCONCLUSIVE: Level.WARNING}


def render(report: Report) -> str:
    """Render the verdict and its findings as annotations, at most ten per level.

    If there are more, the tenth counts the omitted ones; the job summary (format ``markdown``) lists them.
    """
    verdict = report.verdict
    own = _OF_STATUS.get(verdict.status, Level.ERROR)
    text = f"{escape(verdict.task_id)}: {summarise_status(verdict)}"
    lines = [_format_command(own, {"title": f"gate: {verdict.status.value.upper()}"}, text)]
    notices = [escape(notice, limit=1000) for notice in report.sentences]
    found, accounts = collect_findings(report), CheckLines(verdict)
    for level in Level:
        # Findings with a location first: they profit most from annotations.
        here = sorted((item for item in found.listed if item.level is level), key=lambda item: item.path is None)
        lines_here = [_format_annotation(finding, accounts) for finding in here[: PER_LEVEL + 1]]
        total = len(here) + (found.left_out if level is Level.NOTE else 0)
        if level is Level.NOTE:
            lines_here = [_format_command(level, {"title": "gate"}, notice) for notice in notices] + lines_here
            total += len(notices)
        room = PER_LEVEL - (level is own)
        if total > room:
            left = f"{total - room + 1} more like these; the job summary lists them"
            lines_here = [*lines_here[: room - 1], _format_command(level, {"title": "gate"}, left)]
        lines += lines_here
    return "\n".join(lines) + "\n"


def render_nothing(why: str) -> str:
    """Render a single notice."""
    return _format_command(Level.NOTE, {"title": "gate"}, escape(why)) + "\n"


def _format_annotation(finding: ReportFinding, accounts: CheckLines) -> str:
    check = finding.check
    properties = {}
    # Escaped, because the log prints the name: one with invisible characters then simply matches no file.
    if finding.path is not None:
        properties["file"] = escape(finding.path, limit=1000)
        if finding.line is not None:
            properties["line"] = str(finding.line)
            if finding.column is not None:
                properties["col"] = str(finding.column)
    properties["title"] = f"{escape(finding.code, limit=60)} {escape(check.id, limit=150)}"
    facts = f"expected {escape_value(check.expected)}, actual {escape_value(check.actual)}"
    text = "\n".join(filter(None, (finding.sentence, facts, accounts.reproduction(check))))
    return _format_command(finding.level, properties, text)


def _format_command(level: Level, properties: dict[str, str], text: str) -> str:
    named = ",".join(f"{name}={_escape_data(value, _IN_PROPERTIES)}" for name, value in properties.items())
    return f"::{_COMMAND[level]} {named}::{_escape_data(text, _IN_TEXT)}"


def _escape_data(text: str, characters: str) -> str:
    for character in characters:
        text = text.replace(character, f"%{ord(character):02X}")
    return text
