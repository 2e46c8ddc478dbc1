"""Coverage runs, and coverage.json made from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from verigate.sdk.artifacts import clean_text
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.file_coverage import FileCoverage, Ratio, merge_by_path, sum_ratios


@dataclass(frozen=True, slots=True)
class CoverageRun:
    """One coverage run of one tool. The paths of ``files`` are absolute or relative to ``folder``."""

    tool: str
    version: str | None
    folder: str
    files: tuple[FileCoverage, ...]
    argv: tuple[str, ...]
    exit_code: int
    origin: str = "project"


def coverage_summary(measured: Sequence[CoverageRun], texts: Texts) -> dict[str, Any]:
    """Build coverage.json without ``base``. ``pct`` is a fraction of lines, 0 if there are none."""
    files = merge_by_path(
        FileCoverage(texts.path(f.path, item.folder) or clean_text(f.path), f.lines, f.functions, f.branches)
        for item in measured
        for f in item.files
    )
    lines = sum_ratios(f.lines for f in files)
    tools: dict[str, dict[str, Any]] = {}
    for item in sorted(measured, key=lambda m: (m.tool, m.folder, m.argv)):
        reached = sum_ratios(f.lines for f in item.files)
        entry = tools.setdefault(
            item.tool, {"name": item.tool, "version": item.version, "files": 0, "lines": _ratio(Ratio())}
        )
        entry["files"] += len(item.files)
        entry["lines"] = {name: entry["lines"][name] + value for name, value in _ratio(reached).items()}
    return {
        "pct": lines.covered / lines.total if lines.total else 0,
        "lines": _ratio(lines),
        "functions": _ratio(sum_ratios(f.functions for f in files)),
        "branches": _ratio(sum_ratios(f.branches for f in files)),
        "files": [{"path": f.path, **_ratio(f.lines)} for f in files],
        "tool": "+".join(sorted(tools)) or None,
        "tools": [tools[name] for name in sorted(tools)],
    }


def _ratio(ratio: Ratio) -> dict[str, int]:
    return {"covered": ratio.covered, "total": ratio.total}
