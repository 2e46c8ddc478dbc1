"""Read the TAP that ava and tape print, with the place of each failure from its diagnostics."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from verigate.sdk.reports.outcomes import Outcomes
from verigate.sdk.reports.tap import parse_tap
from verigate.sdk.reports.untrusted import reject_malformed

_VERSION = re.compile(rb"^TAP version \d+\r?$\n", re.MULTILINE)
"""tap.py prints a warning for version 13 where it can't read YAML, which isn't left to it."""

_FAILED = re.compile(r"^not ok\b(?!.*# (?:SKIP|TODO))", re.IGNORECASE)
_AT = re.compile(
    r"(?:^|[\s('\"])(?:file://)?((?:/|\./|\.\./)?[\w@.~+ -][^\s:()]*\.[cm]?[jt]sx?):(\d+)(?::\d+)?\b", re.MULTILINE
)


@reject_malformed
def parse_tap_output(raw: bytes, tool: str) -> Outcomes:
    """Read as ``parse_tap`` does; a failure also has its diagnostics, and the place that they name first."""
    outcomes = parse_tap(_VERSION.sub(b"", raw, count=1), tool)
    details = _list_details(raw.decode("utf-8", "replace"))
    cases = []
    for case in outcomes.cases:
        if case.outcome == "failed":
            message = next(details, "")
            found = next((match for match in _AT.finditer(message) if "node_modules" not in match[1]), None)
            place = (found[1], int(found[2])) if found else (None, None)
            cases.append(replace(case, path=place[0], line=place[1], message=message))
        else:
            cases.append(case)
    return Outcomes(tuple(cases), outcomes.duration_ms)


def _list_details(text: str) -> Iterator[str]:
    """Yield the indented lines after each failed test point."""
    block: list[str] | None = None
    for line in text.splitlines():
        if line[:1].isspace():
            if block is not None:
                block.append(line)
        elif line:
            if block is not None:
                yield "\n".join(block)
            block = [] if _FAILED.match(line) else None
    if block is not None:
        yield "\n".join(block)
