"""Verify one job in a process of its own, and leave the sealed verdict in a folder: a worker of a fleet.

Usage, in the repository: ``python -c "from verigate.cli.fleet_worker import main; main()" PARENT FOLDER``. PARENT is
the process id of whoever started it: the worker ends when that ends, however it ends. FOLDER has ``job.json`` and gets
``.artifacts`` and, last, ``report.json``.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from pathlib import Path

from verigate.processes.supervise import end_with_parent


def main() -> None:
    """Verify the job of the folder; end with 0 once its report is written, whatever that says."""
    parent, folder = sys.argv[1:]
    end_with_parent(signal.SIGTERM)
    if os.getppid() != int(parent):
        os._exit(130)
    gc.disable()
    from verigate.cli.signals import install_signal_handlers

    install_signal_handlers()
    try:
        code = work(Path(folder), Path.cwd())
    except (Exception, KeyboardInterrupt, SystemExit) as problem:  # noqa: BLE001 - reported like that of any command
        from verigate.cli.failures import report_failure
        from verigate.cli.options import ErrorStyle

        code = report_failure(problem, arguments=["worker", folder], style=ErrorStyle())
    # Python's clean-up takes as long as a call to git.
    sys.stderr.flush()
    os._exit(code)


def work(folder: Path, root: Path) -> int:
    """Verify the job of ``folder`` in the repository at ``root``; return 0. Raises what ends it without a report."""
    import msgspec
    from msgspec.structs import replace

    from verigate import __version__, composition
    from verigate.cli.verify_jobs import judge_job
    from verigate.errors import GateError
    from verigate.subject.whole_file import write_whole
    from verigate.usecases.fleet.reports import JOB_FILE, REPORT_FILE, Assignment, WorkerReport

    assignment = msgspec.json.decode((folder / JOB_FILE).read_bytes(), type=Assignment)
    if assignment.gate != __version__:
        report = WorkerReport(problem=f"its worker has the gate {__version__}, and not {assignment.gate}", exit_code=2)
    else:
        services = replace(composition.services(root), publication=folder)
        try:
            verified = judge_job(assignment.job, assignment.settings, services)
            report = WorkerReport(None if verified.verdict is None else verified.verdict.task_id)
        except GateError as problem:
            report = WorkerReport(problem=str(problem), exit_code=problem.exit_code)
    write_whole(folder / REPORT_FILE, msgspec.json.encode(report))
    return 0
