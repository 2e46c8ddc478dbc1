"""Parse coverage.py's JSON report, formats 2 and 3. Source: https://coverage.readthedocs.io, "JSON reporting"."""

from __future__ import annotations

from typing import Any

from verigate.sdk.reports.file_coverage import FileCoverage, Ratio, merge_by_path
from verigate.sdk.reports.outcomes import check_count
from verigate.sdk.reports.untrusted import ReportInvalid, count_of, parse_json_object, reject_malformed


@reject_malformed
def parse_coverage_py(raw: bytes, tool: str) -> tuple[FileCoverage, ...]:
    """Read lines and branches of each file, and functions if the version reports them. Raises ReportInvalid."""
    report = parse_json_object(raw, tool)
    listed = report.get("files")
    totals = report.get("totals")
    if not isinstance(listed, dict) or not isinstance(totals, dict):
        raise ReportInvalid(f"the report of {tool} has no files and totals")
    files = merge_by_path(_file(path, entry, tool) for path, entry in listed.items())
    whole = _ratio(totals, "covered_lines", "num_statements", tool)
    check_count(tool, whole.total, sum(f.lines.total for f in files), "lines")
    check_count(tool, whole.covered, sum(f.lines.covered for f in files), "covered lines")
    return files


def _file(path: str, entry: Any, tool: str) -> FileCoverage:
    if not isinstance(entry, dict) or not isinstance(entry.get("summary"), dict):
        raise ReportInvalid(f"the report of {tool} has no summary of {path!r}")
    functions = entry.get("functions")
    named = {name: item for name, item in functions.items() if name} if isinstance(functions, dict) else {}
    return FileCoverage(
        path,
        _ratio(entry["summary"], "covered_lines", "num_statements", tool),
        Ratio(sum(_is_reached(item, tool) for item in named.values()), len(named)),
        _ratio(entry["summary"], "covered_branches", "num_branches", tool)
        if "num_branches" in entry["summary"]
        else Ratio(),
        _lines(entry, "executed_lines", tool),
        _lines(entry, "missing_lines", tool),
    )


def _lines(entry: dict[str, Any], name: str, tool: str) -> frozenset[int]:
    listed = entry.get(name, [])
    if not isinstance(listed, list):
        raise ReportInvalid(f"the report of {tool} has no list of {name}")
    return frozenset(count_of(line, name, tool) for line in listed)


def _ratio(summary: dict[str, Any], covered: str, whole: str, tool: str) -> Ratio:
    return Ratio(count_of(summary.get(covered), covered, tool), count_of(summary.get(whole), whole, tool))


def _is_reached(item: Any, tool: str) -> bool:
    summary = item.get("summary") if isinstance(item, dict) else None
    if not isinstance(summary, dict):
        raise ReportInvalid(f"the report of {tool} has a function without a summary")
    return count_of(summary.get("covered_lines"), "covered_lines", tool) > 0
