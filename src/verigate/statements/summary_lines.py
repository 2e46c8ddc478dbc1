"""Read the summary line that a test runner prints, as it stands.

Source: Maven Surefire's console output, https://maven.apache.org/surefire/maven-surefire-plugin/.
"""

from __future__ import annotations

import re

from verigate.domain.statement_reading import Relation, StatedFact

_MAVEN = re.compile(
    r"(?:\[(?:INFO|WARNING|ERROR)\] )?Tests run: (?P<total>\d{1,9}), +Failures: (?P<failures>\d{1,9}), +"
    r"Errors: (?P<errors>\d{1,9}), +Skipped: (?P<skipped>\d{1,9})\.?"
)


def read_summary_line(text: str) -> tuple[StatedFact, ...]:
    """Return the facts of a summary line of Maven; () for any other text, and for the line of one class."""
    found = _MAVEN.fullmatch(text.strip())
    if found is None:
        return ()
    failed = int(found["failures"]) + int(found["errors"])
    return (
        _fact("/total", int(found["total"])),
        _fact("/failed", failed, bad=failed > 0),
        _fact("/skipped", int(found["skipped"])),
    )


def _fact(what: str, value: int, *, bad: bool = False) -> StatedFact:
    return StatedFact("tests.json", what, Relation.EQ, value, tool="maven", bad=bad)
