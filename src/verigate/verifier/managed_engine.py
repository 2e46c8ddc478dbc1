"""Run an engine with the user's options and the task's session, and report its log to a watcher."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from verigate.domain.engine import (
    CheckLevel,
    Engine,
    EngineCapabilities,
    EngineDescription,
    EngineOrigin,
    EngineSkill,
    EnvironmentCheck,
    ExecutionContext,
    ExecutionResult,
    InvocationMeta,
    Stream,
    read_capabilities,
    supports_skills,
)
from verigate.verifier.overrides import apply_overrides
from verigate.verifier.run_log import LogEntry, parse_log_line
from verigate.verifier.session import TaskSession

BUILT_IN = EngineOrigin()

Watch = Callable[[str, LogEntry], None]
"""Called with the name of an engine and an entry of its run log."""


class ManagedEngine:
    """An engine with options, session and watcher. ``options`` are the user's; ``watch`` gets each log entry.

    ``session`` is the task's, None to ask without one. ``test_first``: run the environment test first and don't ask if
    it has an error; built-in engines check themselves. ``origin`` is the engine's source. ``overrides`` are the
    options of this run, which come before all others.
    """

    def __init__(
        self,
        engine: Engine,
        options: Mapping[str, Any],
        session: TaskSession | None = None,
        *,
        watch: Watch | None = None,
        test_first: bool = False,
        origin: EngineOrigin = BUILT_IN,
        overrides: Mapping[str, Any] | None = None,
    ) -> None:
        self.origin = origin
        self.overrides = overrides or {}
        self._engine = engine
        self._options = options
        self._watch = watch
        self._test_first = test_first
        self._session = session
        self._synced = False
        self._rules = tuple(getattr(engine, "log_rules", ()))

    @property
    def description(self) -> EngineDescription:
        """The engine's."""
        return self._engine.description

    @property
    def capabilities(self) -> EngineCapabilities:
        """The engine's."""
        return read_capabilities(self._engine)

    @property
    def supports_skills(self) -> bool:
        """Whether the engine has ``list_skills`` or ``sync_skills``."""
        return supports_skills(self._engine)

    async def list_skills(self) -> tuple[EngineSkill, ...]:
        """List the engine's skills, with the user's options; () for an engine that lists none."""
        found = getattr(self._engine, "list_skills", None)
        if not callable(found):
            return ()
        return tuple(await found(apply_overrides(self._options, self.overrides)))

    async def test_environment(self, config: Mapping[str, Any]) -> tuple[EnvironmentCheck, ...]:
        """The engine's, with the user's options."""
        checks = await self._engine.test_environment(apply_overrides({**self._options, **config}, self.overrides))
        return (*self._check_origin(), *checks)

    def _check_origin(self) -> tuple[EnvironmentCheck, ...]:
        """Return no check for a built-in engine, a warning if another engine replaces one."""
        if self.origin.origin == "built-in":
            return ()
        message, where = f"it is a {self.origin.origin}'s", self.origin.where
        if "built-in" not in self.origin.overrides:
            return (EnvironmentCheck("origin", CheckLevel.INFO, message, where),)
        message += ", in place of the one that ships"
        hint = "remove it, if that isn't meant"
        return (EnvironmentCheck("origin", CheckLevel.WARN, message, where, hint),)

    async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
        """Ask the engine, with the task's session if there is one to keep."""
        config = apply_overrides({**self._options, **ctx.config}, self.overrides)
        agent = replace(ctx.agent, adapter_config=config)
        asked = replace(ctx, config=config, agent=agent, on_log=self._watch_output(ctx), on_meta=self._watch_start(ctx))
        await self._sync_skills(config)
        if self._test_first:
            checks = await self._engine.test_environment(asked.config)
            blocking = next((check for check in checks if check.level is CheckLevel.ERROR), None)
            if blocking is not None:
                return ExecutionResult(
                    error_code=blocking.code, error_message=blocking.message, error_hint=blocking.hint
                )
        if self._session is None:
            return await self._engine.execute(asked)
        return await self._session.execute(self._engine, asked)

    async def _sync_skills(self, config: Mapping[str, Any]) -> None:
        """Let the engine bring its skills up to date, once."""
        sync = getattr(self._engine, "sync_skills", None)
        if callable(sync) and not self._synced:
            self._synced = True
            await sync(config)

    def _watch_start(self, ctx: ExecutionContext) -> Callable[[InvocationMeta], Any]:
        async def on_meta(meta: InvocationMeta) -> None:
            await ctx.on_meta(meta)
            if self._watch is not None:
                words = " ".join(filter(None, (meta.command, *meta.command_args)))
                self._watch(self.description.name, LogEntry("session", "; ".join((words, *meta.notes)), name="starts"))

        return on_meta

    def _parse_line(self, line: str) -> tuple[LogEntry, ...]:
        """Return the log entries of a line; for an engine without rules, which answers in text, the line itself."""
        if self._rules:
            return parse_log_line(line, self._rules)
        return (LogEntry("message", line.strip()),) if line.strip() else ()

    def _watch_output(self, ctx: ExecutionContext) -> Callable[[Stream, str], Any]:
        async def on_output(stream: Stream, chunk: str) -> None:
            await ctx.on_log(stream, chunk)
            if self._watch is None:
                return
            for line in chunk.split("\n"):
                found = self._parse_line(line) if stream == "stdout" else ()
                if stream == "stderr" and line.startswith("warning: "):
                    found = (LogEntry("error", line),)
                for entry in found:
                    if entry.kind != "result":  # what is known after it, and nothing to show
                        self._watch(self.description.name, entry)

        return on_output
