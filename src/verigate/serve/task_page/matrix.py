"""The four cells on a task's page, with the address of the evidence."""

from __future__ import annotations

from verigate.reporting.cells import list_cells
from verigate.reporting.report import Report
from verigate.serve.addresses import artifact_address
from verigate.serve.task_page.model import Matrix, MatrixRow

MOST_ROWS = 1000


def build_matrix(report: Report, repository: str, task_id: str) -> Matrix | None:
    """Build the matrix of a report's counterfactual.json; None without one."""
    found = list_cells(report, most=MOST_ROWS)
    if found is None:
        return None
    rows = tuple(MatrixRow(row.test, row.was, row.kind, row.weakens, row.why, row.cells) for row in found.rows)
    return Matrix(artifact_address(repository, task_id, found.artifact), rows, found.left_out, dict(found.counts))
