"""Coverage runs, and coverage.json made from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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


def list_files(measured: Sequence[CoverageRun], texts: Texts) -> tuple[FileCoverage, ...]:
    """List the files of all runs by their paths in the subject, each once."""
    return merge_by_path(_place(file, item.folder, texts) for item in measured for file in item.files)


def _place(file: FileCoverage, folder: str, texts: Texts) -> FileCoverage:
    return replace(file, path=texts.path(file.path, folder) or clean_text(file.path))


def coverage_summary(
    measured: Sequence[CoverageRun], texts: Texts, is_test: Callable[[str], bool] = lambda _: False
) -> dict[str, Any]:
    """Build coverage.json without ``base``. ``pct`` is a fraction of lines, 0 if there are none.

    Files that ``is_test`` takes for tests are in no count, and listed under ``left_out``.
    """
    every = list_files(measured, texts)
    files = [file for file in every if not is_test(file.path)]
    lines = sum_ratios(f.lines for f in files)
    tools: dict[str, dict[str, Any]] = {}
    for item in sorted(measured, key=lambda m: (m.tool, m.folder, m.argv)):
        own = [file for file in item.files if not is_test(_place(file, item.folder, texts).path)]
        reached = sum_ratios(f.lines for f in own)
        entry = tools.setdefault(
            item.tool, {"name": item.tool, "version": item.version, "files": 0, "lines": _ratio(Ratio())}
        )
        entry["files"] += len(own)
        entry["lines"] = {name: entry["lines"][name] + value for name, value in _ratio(reached).items()}
    return {
        "pct": lines.covered / lines.total if lines.total else 0,
        "lines": _ratio(lines),
        "functions": _ratio(sum_ratios(f.functions for f in files)),
        "branches": _ratio(sum_ratios(f.branches for f in files)),
        "files": [{"path": f.path, **_ratio(f.lines)} for f in files],
        "left_out": [{"path": f.path, **_ratio(f.lines)} for f in every if is_test(f.path)],
        "tool": "+".join(sorted(tools)) or None,
        "tools": [tools[name] for name in sorted(tools)],
    }


def _ratio(ratio: Ratio) -> dict[str, int]:
    return {"covered": ratio.covered, "total": ratio.total}
