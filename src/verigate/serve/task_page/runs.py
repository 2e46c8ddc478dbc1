"""Describe how a verdict came about: which capabilities ran, how long, in which sandbox."""

from __future__ import annotations

from collections.abc import Iterator

from verigate.domain.execution import Outcome
from verigate.domain.task_folder import LOGS_FOLDER
from verigate.evidence.store import Published
from verigate.reporting.html.capability_runs import describe_sandbox, duration_s
from verigate.reporting.report import Report
from verigate.serve.addresses import artifact_address
from verigate.serve.task_page.model import RunView

_MOST_RUNS = 500
_MOST_WORDS = 40


def build_runs(report: Report, published: Published, repository: str, task_id: str) -> Iterator[RunView]:
    """Describe the runs of a report, in their order."""
    longest = max((duration_s(run) for run in report.runs), default=0.0) or 1.0
    for run in report.runs[:_MOST_RUNS]:
        logs = [f"{LOGS_FOLDER}/{run.capability.replace(':', '.')}.{stream}" for stream in ("out", "err")]
        yield RunView(
            run.capability,
            f"{run.adapter or 'no adapter'} {run.adapter_version or ''}".rstrip(),
            duration_s(run),
            duration_s(run) / longest,
            run.cached,
            "" if run.outcome is None else _describe_end(run.outcome),
            f"{run.failure.reason}: {run.failure.message}" if run.failure is not None else "",
            (run.failure.hint or "") if run.failure is not None else "",
            describe_sandbox(run.sandbox) if run.sandbox is not None else "",
            run.argv[:_MOST_WORDS],
            tuple((item.path, artifact_address(repository, task_id, item.path)) for item in run.artifacts),
            tuple(
                (path, artifact_address(repository, task_id, path))
                for path in logs
                if path in published.index and published.index[path].get("size")
            ),
        )


def _describe_end(outcome: Outcome) -> str:
    if outcome.timed_out:
        return "stopped, out of time"
    return f"signal {outcome.signal}" if outcome.signal is not None else f"exit code {outcome.exit_code}"
