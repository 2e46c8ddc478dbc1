"""Ask the engine under test: one question of the gate's own, in a run folder, with everything that it reports kept."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from verigate.conformance.engine_kit.watched_processes import WatchedProcesses
from verigate.domain.engine import (
    Engine,
    EngineServices,
    ExecutionContext,
    ExecutionResult,
    InvocationMeta,
    Runtime,
    Spawned,
)
from verigate.domain.engine_request import EngineRequest
from verigate.domain.task import Commitment, Task
from verigate.domain.verification import Question
from verigate.verifier.evidence_parts import EvidencePart
from verigate.verifier.prompt import Prompt, build_prompt, response_schema

CANARY_VARIABLE = "VERIGATE_CHECK_SECRET_TOKEN"
CANARY = "canary-5d1f7c0e9ab24c1b"
_QUESTION = Question("q1", "s1", "Five tests passed")
_EVIDENCE = EvidencePart("json", ("artifact: tests.json", "/passed = 5", "/failed = 0"))


class EngineUnderTest(Struct, frozen=True):
    """The engine: its type, where it is from, its factory, and the user's options. ``is_http``: it has ``base_url``."""

    type: str
    where: str
    make: Callable[[EngineServices], Engine]
    options: Mapping[str, Any]
    is_http: bool = False

    @property
    def name(self) -> str:
        """The type as people write it."""
        return self.type.replace("_", "-")


class Heard(Struct):
    """What one execution reported, and how long it took in seconds."""

    log: list[str] = field(default_factory=list)
    meta: list[InvocationMeta] = field(default_factory=list)
    spawned: list[Spawned] = field(default_factory=list)
    took_s: float = 0.0


class EngineBench:
    """Makes executions of one engine. ``services`` are those of this machine; ``folder`` is private to the check.

    ``asked`` counts executions that may have asked the model. ``good_output`` is what its program printed when all was
    well. ``temporary`` is the TMPDIR of its programs.
    """

    def __init__(self, subject: EngineUnderTest, services: EngineServices, folder: Path, timeout_s: float) -> None:
        if services.processes is None:
            raise ValueError("the check starts programs")
        self.subject = subject
        self.folder = folder
        self.timeout_s = timeout_s
        self.processes = WatchedProcesses(services.processes, folder)
        self._services = services
        self.asked = 0
        self.good_output = b""
        self.heard: list[Heard] = []
        self.results: list[ExecutionResult] = []

    @property
    def temporary(self) -> Path:
        """The folder for temporary files of what the engine starts."""
        return self.folder / "tmp"

    @property
    def own_names(self) -> frozenset[str]:
        """The names in the folder of the check that are its own."""
        return frozenset({"tmp", "instead", self.run_root.relative_to(self.folder).parts[0]})

    @property
    def run_root(self) -> Path:
        """The folder that the engine's run folders are in."""
        return Path(self._services.run_root)

    @property
    def environ(self) -> Mapping[str, str]:
        """The caller's environment, with the canary."""
        return {**self._services.environ, CANARY_VARIABLE: CANARY, "TMPDIR": str(self.temporary)}

    def make(self, more: Mapping[str, str] | None = None) -> Engine:
        """Make the engine; ``more`` are further variables of the environment."""
        environ = {**self.environ, **(more or {})}
        made = EngineServices(
            environ,
            self.processes,
            self._services.run_root,
            self._services.now,
            self._services.monotonic,
            self._services.repository,
        )
        return self.subject.make(made)

    def build_prompt(self) -> Prompt:
        """Build the question that is asked: the same each time."""
        task = Task("engine-check", Commitment("engine-check", "code"))
        return build_prompt(task, (_QUESTION,), (_EVIDENCE,))

    async def execute(
        self,
        engine: Engine,
        *,
        runtime: Runtime | None = None,
        config: Mapping[str, Any] | None = None,
        timeout_s: float | None = None,
        real: bool = True,
        hold: bool = False,
    ) -> tuple[ExecutionResult, Heard]:
        """Ask once. ``real`` False: the model isn't reached. Raises what the engine raises.

        ``hold``: its first log never returns, so that it can be cancelled before it has answered.
        """
        heard = Heard()

        async def on_log(_stream: str, chunk: str) -> None:
            heard.log.append(chunk)
            if hold:
                await asyncio.sleep(limit + _SLACK_S)

        async def on_meta(meta: InvocationMeta) -> None:
            heard.meta.append(meta)

        async def on_spawn(spawned: Spawned) -> None:
            heard.spawned.append(spawned)

        prompt, limit = self.build_prompt(), timeout_s or self.timeout_s
        request = EngineRequest(
            "engine-check", prompt.instruction, prompt.text, response_schema((_QUESTION,)), seed=7, timeout_s=limit
        )
        self.asked += real
        context = ExecutionContext(
            f"engine-check-{len(self.heard) + 1}",
            {**self.subject.options, **(config or {})},
            request.context(),
            runtime=runtime or Runtime(),
            on_log=on_log,
            on_meta=on_meta,
            on_spawn=on_spawn,
        )
        self.heard.append(heard)
        began = time.monotonic()
        try:
            # An engine that doesn't keep its time is ended all the same.
            async with asyncio.timeout(limit + _SLACK_S):
                result = await engine.execute(context)
        finally:
            heard.took_s = time.monotonic() - began
        self.results.append(result)
        return result, heard


_SLACK_S = 30.0
