"""Record when the stages and capabilities of a run began and ended, in the format that trace viewers open.

Source: Trace Event Format, complete events ("ph": "X"), as chrome://tracing and https://ui.perfetto.dev read it. Times
are microseconds since this process started.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from verigate.subject.whole_file import write_whole

if TYPE_CHECKING:
    from verigate.domain.execution import CapabilityRun
    from verigate.domain.plan import Plan
    from verigate.domain.ports import KnownEvidence, Listener, RunContext, Staging, SubjectWorkspace
    from verigate.domain.remote_call import RemoteEvidence
    from verigate.usecases.services import Runner, Services

_PROCESS = 1
_STAGES = 0
"""The row of the stages; capabilities that run at the same time have rows of their own after it."""


class RunTrace:
    """The events of one run. It is a listener that passes on what it hears."""

    def __init__(self) -> None:
        self._origin = _find_process_start()
        self._stage = ("start", self._origin)
        self._events: list[dict[str, Any]] = []
        self._open: dict[str, tuple[int, float]] = {}
        self._seconds: dict[str, float] = {}
        self._needs: dict[str, tuple[str, ...]] = {}
        self._running_s = 0.0
        self._listener: Listener | None = None
        self._runner: Runner | None = None

    def watch(self, services: Services) -> Services:
        """Return services whose run is recorded; the stage "prepare" begins."""
        self._listener, self._runner = services.listener, services.runner
        self.begin("prepare")
        return replace(services, listener=self, runner=self._run)

    def begin(self, stage: str) -> None:
        """End the present stage, and begin this one."""
        name, start = self._stage
        now = time.clock_gettime(time.CLOCK_BOOTTIME)
        self._add(name, "stage", _STAGES, start, now)
        self._stage = (stage, now)

    def write(self, path: Path) -> None:
        """End the last stage, and write the file. Raises OSError for it."""
        self.begin("")
        chain = find_longest_chain(self._seconds, self._needs)
        summary = {
            "capabilities_s": round(self._running_s, 3),
            "longest_chain": list(chain),
            "longest_chain_s": round(sum(self._seconds[name] for name in chain), 3),
        }
        rows = sorted({event["tid"] for event in self._events})
        named = [("process_name", _STAGES, "gate verify"), *(("thread_name", row, _name_row(row)) for row in rows)]
        names = [
            {"name": kind, "ph": "M", "pid": _PROCESS, "tid": row, "args": {"name": text}} for kind, row, text in named
        ]
        document = {"traceEvents": [*names, *self._events], "displayTimeUnit": "ms", "otherData": summary}
        write_whole(path, json.dumps(document, indent=1).encode() + b"\n")

    @property
    def watches(self) -> bool:
        """As the listener that it passes on to."""
        return self._listener is not None and self._listener.watches

    def started(self, capability: str, progress: str | None = None, /) -> None:
        """Open the event of a capability, in the first row that is free."""
        taken = {row for row, _ in self._open.values()}
        row = next(row for row in range(1, len(taken) + 2) if row not in taken)
        self._open[capability] = (row, time.clock_gettime(time.CLOCK_BOOTTIME))
        if self._listener is not None:
            self._listener.started(capability, progress)

    def finished(self, run: CapabilityRun) -> None:
        """Close it."""
        row, start = self._open.pop(run.capability)
        now = time.clock_gettime(time.CLOCK_BOOTTIME)
        self._seconds[run.capability] = now - start
        facts: dict[str, Any] = {"required": run.required, "reused": run.cached}
        if run.failure is not None:
            facts["failure"] = run.failure.reason
        if run.outcome is not None:
            facts["process_s"] = round(run.outcome.duration_s, 3)
        self._add(run.capability, "capability", row, start, now, facts)
        if self._listener is not None:
            self._listener.finished(run)

    def _run(
        self,
        plan: Plan,
        workspace: SubjectWorkspace,
        staging: Staging,
        context: RunContext,
        _: Listener,
        /,
        *,
        known: KnownEvidence | None,
        remote: RemoteEvidence | None,
    ) -> tuple[CapabilityRun, ...]:
        if self._runner is None:
            raise ValueError("no run is watched")
        self._needs = {each.name: each.needs for each in plan.capabilities}
        self.begin("run")
        start = time.clock_gettime(time.CLOCK_BOOTTIME)
        runs = self._runner(plan, workspace, staging, context, self, known=known, remote=remote)
        self._running_s = time.clock_gettime(time.CLOCK_BOOTTIME) - start
        self.begin("decide and publish")
        return runs

    def _add(
        self, name: str, kind: str, row: int, start: float, end: float, facts: Mapping[str, Any] | None = None
    ) -> None:
        event = {"name": name, "cat": kind, "ph": "X", "pid": _PROCESS, "tid": row}
        event |= {"ts": round((start - self._origin) * 1e6), "dur": round((end - start) * 1e6)}
        self._events.append(event if facts is None else {**event, "args": dict(facts)})


def find_longest_chain(seconds: Mapping[str, float], needs: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the capabilities, each needing the one before it, that take longest together; no run can be shorter."""
    chains: dict[str, tuple[float, tuple[str, ...]]] = {}
    # A plan is in an order in which each need comes first.
    for name in needs:
        before = max((chains[need] for need in needs[name] if need in chains), default=(0.0, ()))
        chains[name] = (before[0] + seconds.get(name, 0.0), (*before[1], name))
    chain = max(chains.values(), default=(0.0, ()))[1]
    return tuple(name for name in chain if name in seconds)


def _name_row(row: int) -> str:
    return "stages" if row == _STAGES else f"capabilities {row}"


def _find_process_start() -> float:
    """Return when this process started, in seconds of CLOCK_BOOTTIME (proc(5), field 22 of stat)."""
    with open("/proc/self/stat", "rb") as file:  # noqa: PTH123 - the kernel's
        fields = file.read().rpartition(b")")[2].split()
    return int(fields[19]) / os.sysconf("SC_CLK_TCK")
