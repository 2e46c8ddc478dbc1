"""The report of RSpec's JSON formatter: https://rspec.info/features/3-13/rspec-core/formatters/json-formatter/."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from verigate.sdk.reports.outcomes import Case, Outcome, Outcomes, check_count
from verigate.sdk.reports.untrusted import ReportInvalid, count_of, parse_json_object, reject_malformed

_LOADING = re.compile(r"^An error occurred while loading (?P<path>\S.*?)\.(?:\s+-\s|\s*$)", re.MULTILINE)
_OUTCOMES: dict[str, Outcome] = {"passed": "passed", "failed": "failed", "pending": "skipped"}


@reject_malformed
def parse_rspec(raw: bytes, tool: str) -> Outcomes:
    """Read the examples, and what failed outside of them as failed tests; a file that can't be loaded is ``broken``.

    ``path`` is the file that has the example, or includes it from another, without a line then.
    A pending example counts as skipped. Raises ReportInvalid.
    """
    report = parse_json_object(raw, tool)
    cases = [_read_example(each) for each in report["examples"]]
    summary = report["summary"]
    check_count(tool, count_of(summary["example_count"], "example_count", tool), len(cases), "examples")
    failed = sum(case.outcome == "failed" for case in cases)
    check_count(tool, count_of(summary["failure_count"], "failure_count", tool), failed, "failures")
    outside = count_of(summary.get("errors_outside_of_examples_count", 0), "errors", tool)
    if outside:
        cases += _read_outside([str(each) for each in report.get("messages", ())], outside)
    return Outcomes(tuple(cases), 1000 * max(0.0, min(float(summary["duration"]), 1e9)))


def _read_example(example: dict[str, Any]) -> Case:
    stated = example["status"]
    if stated not in _OUTCOMES:
        raise ReportInvalid(f"an example has the status {stated!r}")
    exception = example.get("exception") or {}
    lines = [str(exception.get("message") or "").strip("\n"), *map(str, exception.get("backtrace") or ())]
    path, line = str(example["file_path"]), example["line_number"]
    # Shared examples are written in one file and run by another.
    runs = str(example.get("id") or path).partition("[")[0]
    return Case(
        str(example["full_description"]),
        _OUTCOMES[stated],
        runs,
        line if isinstance(line, int) and line > 0 and runs == path else None,
        "\n".join(each for each in lines if "/gems/" not in each) if stated == "failed" else "",
    )


def _read_outside(messages: list[str], count: int) -> Iterator[Case]:
    """Read what failed outside of examples: files by their names, everything else as one."""
    found = 0
    for message in messages:
        for place in _LOADING.finditer(message):
            found += 1
            yield Case(place["path"], "failed", place["path"], None, message.strip(), broken=True)
    if found < count:
        yield Case("outside of examples", "failed", None, None, "\n".join(messages).strip())
