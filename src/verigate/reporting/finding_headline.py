"""Format a finding as one escaped line: location, rule, the first line of its message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.reporting.findings import ReportFinding


def format_headline(finding: ReportFinding) -> str:
    """Format ``path:line:column: rule: message``; a message that repeats the check's is left out."""
    first = finding.message.strip().partition("\n")[0].rstrip("\r")
    text = "" if finding.message == finding.check.message else escape(first, limit=400)
    parts = (format_location(finding), escape(finding.rule or "", limit=100), text)
    return ": ".join(part for part in parts if part)


def list_further_lines(message: str) -> list[str]:
    """List the lines of a message after its first, as far as there are any but blank ones; not escaped."""
    lines = [line.rstrip() for line in message.strip().split("\n")[1:]]
    while lines and not lines[0]:
        lines.pop(0)
    return lines


def format_location(finding: ReportFinding) -> str:
    """Format ``path:line:column`` as far as known, escaped; empty without a path."""
    if finding.path is None:
        return ""
    numbers = [str(number) for number in (finding.line, finding.column if finding.line else None) if number]
    return ":".join([escape(finding.path, limit=400), *numbers])
