"""Engines and what they need of the machine: one is found, attended and asked. Imported only where one is."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from verigate.domain.engine import EngineServices
from verigate.domain.execution import CapabilityRun, Failure, Outcome
from verigate.domain.ports import Listener
from verigate.domain.verification import Problem
from verigate.errors import UsageError
from verigate.execution.engine_processes import EngineProcesses
from verigate.execution.environment import secret_values
from verigate.execution.streams import Redactor
from verigate.verifier.engines import attended
from verigate.verifier.inquiry import Inquiry, ask, unasked
from verigate.verifier.lifecycle.run_root import run_root
from verigate.verifier.record import problem_in
from verigate.verifier.run_log import Entry


def engine_services(environ: Mapping[str, str], run_root: str, now: Callable[[], str]) -> EngineServices:
    """What engines get: the caller's environment, a place for run folders, and processes that are held together."""
    processes = EngineProcesses(sys.executable, Redactor(secret_values(environ)), now)
    return EngineServices(environ, processes, run_root, now, time.monotonic)


def ask_engine(
    inquiry: Inquiry,
    *,
    root: Path,
    environ: Mapping[str, str],
    listener: Listener,
    now: Callable[[], str],
    watch: Callable[[Entry], None] | None = None,
) -> Mapping[str, bytes]:
    """Put an inquiry to the engine that its policy names, and tell of it; the files of the record.

    ``watch`` hears the engine's run log.
    """
    name, began = f"verifier {inquiry.policy.engine}", time.monotonic()
    listener.started(name)
    with run_root(environ, str(root), inquiry.task.id) as folder:
        try:
            engine = attended(inquiry.policy.engine, engine_services(environ, folder, now), watch)
            files = asyncio.run(ask(inquiry, engine, time.monotonic))
        except UsageError as problem:
            files = unasked(inquiry, Problem("unknown_engine", problem.message, problem.hint))
    why = problem_in(files)
    failure = None if why is None else Failure(why.code, why.message, why.hint)
    outcome = Outcome(exit_code=0, duration_s=time.monotonic() - began)
    listener.finished(CapabilityRun(name, required=False, outcome=outcome, failure=failure))
    return files
