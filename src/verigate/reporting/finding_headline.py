"""Format a finding as one escaped line: location, rule, and what its message says first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from verigate.reporting.escape import escape

if TYPE_CHECKING:
    from verigate.reporting.findings import ReportFinding


_SEARCHED = 4000
"""Characters of a message that are searched for what it says."""

_NOISE = re.compile(r"=== (?:RUN|PAUSE|CONT|NAME)\b|--- (?:FAIL|PASS|SKIP):|\s*$")
"""Lines of ``go test -v`` that say nothing of the failure."""

_TRACEBACK = re.compile(r"Traceback \(most recent call last\)")
_VALUES = re.compile(r"\s*(?:[-+] )?(?:expected|received|actual|left|right)\b ?(?:value)?:? ?\S", re.IGNORECASE)
"""Lines in which jest, node and Rust print the two sides of an assertion."""

_LEGEND = re.compile(r"\s*(?:[-+] (?:expected|received|actual)\b\W*\d*\s*){1,2}$", re.IGNORECASE)
"""What says which sign of the difference below stands for which side: ``+ actual - expected``."""
_DIFFERENCE = re.compile(r"\s*([-+])\s+\S")


def format_headline(finding: ReportFinding) -> str:
    """Format ``path:line:column: rule: message``, without what only repeats the check's message."""
    own = finding.check.message
    kept = "" if finding.message == own else finding.message.removesuffix(f": {own}") if own else finding.message
    text = escape(summarise_message(kept), limit=400) if kept else ""
    parts = (format_location(finding), escape(finding.rule or "", limit=100), text)
    return ": ".join(part for part in parts if part)


def summarise_message(message: str) -> str:
    """Return what a message says first, on one line, not escaped: the assertion, with the two sides that it compares.

    Runners put other lines before it, or break it: ``Expected values to be strictly equal:``, then ``4 !== 3``.
    """
    name, separator, inner = message[:_SEARCHED].partition(": ")
    if separator and "\n" not in name and _is_preamble(inner):
        return f"{name}: {_summarise(inner)}"
    return _summarise(message)


def _summarise(message: str) -> str:
    lines = [line.rstrip() for line in message[:_SEARCHED].split("\n") if not _NOISE.match(line)]
    if not lines:
        return message.strip().partition("\n")[0].rstrip()
    if _TRACEBACK.match(lines[0]):
        return next((line for line in reversed(lines) if not line[0].isspace()), lines[0])
    return " ".join(_choose_lines(lines))


def _is_preamble(message: str) -> bool:
    first = message.lstrip("\n").partition("\n")[0]
    return _NOISE.match(first) is not None or _TRACEBACK.match(first) is not None


def _choose_lines(lines: list[str]) -> Iterator[str]:
    yield lines[0].strip()
    rest = lines[1:]
    signed = [line for line in rest if not _LEGEND.match(line)]
    if len(signed) < len(rest):
        first: dict[str, str] = {}
        for line in signed:
            if (found := _DIFFERENCE.match(line)) is not None:
                first.setdefault(found[1], " ".join(line.split()))
        yield from first.values()
        return
    if rest and lines[0].endswith(":") and not _VALUES.match(rest[0]):
        yield rest.pop(0).strip()
    sides = [line.strip() for line in rest[:8] if _VALUES.match(line)]
    if len(sides) >= 2:
        yield from sides[:2]


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
