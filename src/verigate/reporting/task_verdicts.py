"""Render the verdicts of several tasks, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from verigate.domain.commit_verdict import find_worst
from verigate.domain.verdict import Status
from verigate.domain.verification_job import JobResult
from verigate.reporting.commit_range import digest_verdict
from verigate.reporting.escape import escape
from verigate.reporting.outcome_style import STATUS_STYLE
from verigate.reporting.palette import Palette

TASKS_SCHEMA = "verigate:tasks-report.v1"
_MOST, _REASONS = 160, 3


def render_task(result: JobResult, *, colour: bool = False) -> str:
    """Render one task: its status and id, and the first reasons where it is no pass."""
    status = find_status(result)
    painted = Palette(colour).paint(f"{status.value.upper():<12}", *STATUS_STYLE[status])
    lines = [f"{painted} {escape(result.job.name, limit=_MOST)}"]
    lines += [f"{'':<13}{escape(reason, limit=_MOST)}" for reason in _list_reasons(result)[:_REASONS]]
    return "\n".join(lines)


def find_status(result: JobResult) -> Status:
    """Return the status of a task: an error if it has no verdict, a pass if there is nothing to verify."""
    if result.problem:
        return Status.ERROR
    return Status.PASS if result.verdict is None else result.verdict.status


def find_worst_of_tasks(results: Sequence[JobResult]) -> Status:
    """Return the most severe status; a pass if there is none."""
    return find_worst(find_status(each) for each in results)


def tasks_report(results: Sequence[JobResult]) -> dict[str, Any]:
    """Return the JSON document of ``gate verify --tasks`` and ``--all``."""
    return {
        "schema": TASKS_SCHEMA,
        "status": find_worst_of_tasks(results).value,
        "tasks": [
            {
                "task_id": each.job.name,
                "status": find_status(each).value,
                "reasons": _list_reasons(each),
                "verdict_sha256": digest_verdict(each.verdict),
            }
            for each in results
        ],
    }


def _list_reasons(result: JobResult) -> list[str]:
    if result.problem:
        return [result.problem]
    reasons = result.verdict.reasons if result.verdict is not None else ()
    return [f"{reason.code}: {reason.message}" for reason in reasons]
