"""Run the gate's own commands for pages: as processes, a few at a time, their lines published as events."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from msgspec import Struct

from verigate.errors import GateError, UsageError
from verigate.integrations.mcp.gate_call import call_gate
from verigate.reporting.escape import escape
from verigate.serve.live.events import EventLog
from verigate.serve.repositories import ServedRepository

RUN_TOPIC = "run/"
"""Begins the topic of a run's events; its id follows."""

MOST_AT_ONCE = 2
MOST_WAITING = 50
MOST_KEPT = 200
_MOST_LINES = 2000
_LONGEST_OUTPUT = 200_000


class GateRun(Struct):
    """A call of the gate. ``state`` is waiting, running or ended; ``lines`` are what it reported while it ran.

    ``exit_code`` is None until it has ended, or if it could not be started; ``problem`` says why.
    """

    id: str
    kind: str
    repository: str
    task_id: str
    words: tuple[str, ...]
    state: str = "waiting"
    lines: list[str] = []
    output: str = ""
    exit_code: int | None = None
    problem: str = ""
    began: float = 0.0
    seconds: float = 0.0

    @property
    def about(self) -> str:
        """The topic of its events."""
        return f"{RUN_TOPIC}{self.id}"


Lend = Callable[["GateRun"], AbstractContextManager[Mapping[str, str]]]
"""Gives the process of a run variables of its own, which count until it has ended."""

WhenEnded = Callable[[GateRun], Awaitable[None]]


class GateRuns:
    """The runs of one server. ``launcher`` starts the gate; its lines are published to ``events``.

    Of a task, and of a repository's doctor, one run at a time.
    """

    def __init__(
        self, launcher: Sequence[str], environ: Mapping[str, str], events: EventLog, lend: Lend | None = None
    ) -> None:
        self._launcher = tuple(launcher)
        self._environ = {**environ, "NO_COLOR": "1", "GATE_REPORT_STARTS": "1"}
        self._events = events
        self._lend = lend or (lambda _run: nullcontext({}))
        self._room = asyncio.Semaphore(MOST_AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        self._runs: OrderedDict[str, GateRun] = OrderedDict()
        self._next = 0

    def find(self, run_id: str) -> GateRun | None:
        """Return a run that is kept, None for any other id."""
        return self._runs.get(run_id)

    def latest(self, kind: str, repository: str, task_id: str = "") -> GateRun | None:
        """Return the newest run of a kind about a repository or a task."""
        same = (kind, repository, task_id)
        found = (run for run in reversed(self._runs.values()) if (run.kind, run.repository, run.task_id) == same)
        return next(found, None)

    def start(
        self,
        kind: str,
        repository: ServedRepository,
        words: Sequence[str],
        *,
        task_id: str = "",
        when_ended: WhenEnded | None = None,
    ) -> GateRun:
        """Start a run, or return the one of the same kind that hasn't ended. Raises UsageError if too many wait."""
        there = self.latest(kind, repository.name, task_id)
        if there is not None and there.state != "ended":
            return there
        if sum(run.state == "waiting" for run in self._runs.values()) >= MOST_WAITING:
            raise UsageError(f"{MOST_WAITING} runs wait already", hint="try again when some of them have ended")
        self._next += 1
        run = GateRun(str(self._next), kind, repository.name, task_id, tuple(words), lines=[])
        self._runs[run.id] = run
        self._forget()
        task = asyncio.get_running_loop().create_task(self._run(run, repository.root, when_ended))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return run

    async def end_all(self) -> None:
        """End what still runs, and wait until it has."""
        running = list(self._tasks)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _run(self, run: GateRun, root: Path, when_ended: WhenEnded | None) -> None:
        try:
            async with self._room:
                await self._call(run, root)
            if when_ended is not None:
                await when_ended(run)
        finally:
            run.state, run.seconds = "ended", time.monotonic() - run.began if run.began else 0.0
        self._tell(run, "ended", {"exit_code": run.exit_code, "problem": run.problem})

    async def _call(self, run: GateRun, root: Path) -> None:
        run.state, run.began = "running", time.monotonic()
        self._tell(run, "started", {})

        async def heard(line: str) -> None:
            if len(run.lines) < _MOST_LINES:
                shown = escape(line, limit=len(line))
                run.lines.append(shown)
                self._tell(run, "line", {"text": shown})

        try:
            with self._lend(run) as lent:
                done = await call_gate((*self._launcher, *run.words), root, {**self._environ, **lent}, heard)
        except GateError as problem:
            run.problem = str(problem)
        else:
            run.exit_code = done.code
            run.output = done.out.decode("utf-8", "replace")[:_LONGEST_OUTPUT]

    def _tell(self, run: GateRun, kind: str, data: Mapping[str, object]) -> None:
        self._events.publish(kind, run.about, {"run": run.id, **data})

    def _forget(self) -> None:
        for run_id in [run.id for run in self._runs.values() if run.state == "ended"][: -MOST_KEPT or None]:
            del self._runs[run_id]
