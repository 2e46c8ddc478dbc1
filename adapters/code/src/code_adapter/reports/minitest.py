"""What ``minitest_report.rb`` and ``minitest_load.rb`` write: lines of fields in base64."""

from __future__ import annotations

import binascii
from collections.abc import Iterable, Iterator
from typing import Literal, cast

from verigate.sdk.reports.outcomes import Case, Outcomes, check_count
from verigate.sdk.reports.untrusted import ReportInvalid, check_size, reject_malformed

_OUTCOMES = frozenset({"passed", "failed", "skipped"})


@reject_malformed
def parse_minitest(raw: bytes, tool: str) -> Outcomes:
    """Read the tests of one process. An id is ``Class#test``; path and line are where the test is written.

    Raises ReportInvalid, also where the process ended before its tests did.
    """
    lines = list(_read_lines(raw, tool))
    if not lines or lines[0] != ["begin"] or lines[-1][0] != "end":
        raise ReportInvalid(f"the tests of {tool} didn't run to their end")
    cases = [_read_case(line) for line in lines[1:-1]]
    check_count(tool, int(lines[-1][1]), len(cases), "tests")
    return Outcomes(tuple(cases), 1000 * sum(_seconds(line[6]) for line in lines[1:-1]))


@reject_malformed
def parse_loaded(raw: bytes, tool: str) -> dict[str, str]:
    """Read the files that couldn't be loaded, each with the reason. Raises ReportInvalid if not all were tried."""
    lines = list(_read_lines(raw, tool))
    if not lines or lines[-1][0] != "end":
        raise ReportInvalid(f"the test files of {tool} weren't all loaded: one of them ended the process")
    return {path: why for _, path, why in lines[:-1]}


def _read_case(line: list[str]) -> Case:
    word, owner, name, outcome, path, number, _, message = line
    if word != "test" or outcome not in _OUTCOMES:
        raise ReportInvalid(f"the report has a line {word!r} with the outcome {outcome!r}")
    place = int(number) if path and number.isdecimal() and len(number) < 10 else None
    known = cast("Literal['passed', 'failed', 'skipped']", outcome)
    return Case(f"{owner}#{name}", known, path or None, place or None, message)


def _read_lines(raw: bytes, tool: str) -> Iterator[list[str]]:
    for line in check_size(raw, tool).splitlines():
        yield [_decode(field) for field in line.split(b" ")]


def _decode(field: bytes) -> str:
    return binascii.a2b_base64(field, strict_mode=True).decode("utf-8", "replace")


def _seconds(text: str) -> float:
    value = float(text or 0)
    return value if 0 <= value < 1e9 else 0.0


def merge_loaded(broken: Iterable[tuple[str, str]], outcomes: Outcomes) -> Outcomes:
    """Add the files that couldn't be loaded as failed tests."""
    failed = tuple(Case(path, "failed", path, None, why, broken=True) for path, why in broken)
    return Outcomes((*outcomes.cases, *failed), outcomes.duration_ms)
