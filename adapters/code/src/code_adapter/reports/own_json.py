"""Parse the JSON of the runners that ship with this adapter (unittest, node): one object, marked complete."""

from __future__ import annotations

from verigate.sdk.reports.outcomes import Case, Outcome, Outcomes, check_count
from verigate.sdk.reports.untrusted import ReportInvalid, count_of, parse_json_object, reject_malformed

_OUTCOMES: dict[str, Outcome] = {"passed": "passed", "failed": "failed", "skipped": "skipped"}


@reject_malformed
def parse_own(raw: bytes, tool: str) -> Outcomes:
    """Parse ``{"complete": true, "total": N, "duration_ms": N, "cases": [{id, outcome, path, line, message}]}``."""
    report = parse_json_object(raw, tool)
    if report.get("complete") is not True or not isinstance(report.get("cases"), list):
        raise ReportInvalid(f"the report of {tool} is not complete")
    cases = []
    for item in report["cases"]:
        if not isinstance(item, dict) or item.get("outcome") not in _OUTCOMES:
            raise ReportInvalid(f"the report of {tool} has an entry that isn't a test: {str(item)[:80]!r}")
        line, path = item.get("line"), item.get("path")
        cases.append(
            Case(
                str(item.get("id")),
                _OUTCOMES[item["outcome"]],
                path if isinstance(path, str) else None,
                line if isinstance(line, int) else None,
                str(item.get("message") or ""),
            )
        )
    check_count(tool, count_of(report.get("total"), "total", tool), len(cases), "tests")
    duration = report.get("duration_ms", 0)
    return Outcomes(tuple(cases), float(duration) if isinstance(duration, int | float) else 0.0)
