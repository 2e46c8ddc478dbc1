"""The four cells: what each changed test does, in its form of base and of head, on the code of base and of head."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from verigate.domain.evidence_weakenings import COUNTERFACTUAL
from verigate.reporting.report import Report
from verigate.serve.addresses import artifact_address
from verigate.serve.task_page.model import Matrix, MatrixRow

MOST_ROWS = 1000
_CELLS = ("BB", "HB", "BH", "HH")
_FIRST = ("yes", "open", "expectations")
"""What weakens, or may, comes first."""


def build_matrix(report: Report, repository: str, task_id: str) -> Matrix | None:
    """Build the matrix of a report's counterfactual.json; None without one."""
    found = [artifact for artifact in report.artifacts.values() if artifact.media_spec == COUNTERFACTUAL]
    if not found or not isinstance(found[0].value, dict):
        return None
    value = found[0].value
    tests = sorted(value["tests"], key=_order)
    rows = tuple(map(_make_row, tests[:MOST_ROWS]))
    counts = {str(name): int(number) for name, number in sorted(value["counts"].items())}
    href = artifact_address(repository, task_id, found[0].path)
    return Matrix(href, rows, max(0, len(tests) - MOST_ROWS), counts)


def _order(entry: Mapping[str, Any]) -> tuple[bool, str, str]:
    return entry["weakens"] not in _FIRST, str(entry["path"]), str(entry["test"])


def _make_row(entry: Mapping[str, Any]) -> MatrixRow:
    was = entry.get("was")
    cells = tuple(str(entry["cells"][name]) for name in _CELLS)
    return MatrixRow(
        f"{entry['path']}::{entry['test']}",
        f"{was['path']}::{was['test']}" if was else "",
        str(entry["class"]),
        str(entry["weakens"]),
        str(entry.get("why") or ""),
        (cells[0], cells[1], cells[2], cells[3]),
    )
