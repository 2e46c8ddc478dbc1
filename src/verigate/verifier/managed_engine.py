"""Run an engine with the user's options and the task's session, and report its log to a watcher."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from verigate.domain.engine import (
    CheckLevel,
    Engine,
    EngineCapabilities,
    EngineDescription,
    EngineOrigin,
    EnvironmentCheck,
    ExecutionContext,
    ExecutionResult,
    Runtime,
    SessionCodec,
    Stream,
    read_capabilities,
)
from verigate.verifier.run_log import LogEntry, parse_log_line

_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,199}")

BUILT_IN = EngineOrigin()

Watch = Callable[[str, LogEntry], None]
"""Called with the name of an engine and an entry of its run log."""


class PlainCodec:
    """Codec for engines without their own: ``{"sessionId": ...}``, an id that can't be mistaken for a flag."""

    def deserialize(self, raw: Any) -> Mapping[str, Any] | None:
        """Return the parameters, None unless they have exactly this shape."""
        session = raw.get("sessionId") if isinstance(raw, Mapping) and len(raw) == 1 else None
        return {"sessionId": session} if isinstance(session, str) and _SESSION.fullmatch(session) else None

    def serialize(self, params: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the parameters, None if ``deserialize`` would reject them."""
        return self.deserialize({"sessionId": params.get("sessionId")})

    def display_id(self, params: Mapping[str, Any]) -> str | None:
        """Return the first eight characters of the session id."""
        return str(params.get("sessionId", ""))[:8] or None


class SessionFile:
    """File with a task's session with one engine. An unusable file counts as no session."""

    def __init__(self, run_root: str, engine: str, codec: SessionCodec) -> None:
        self._path = Path(run_root) / f"{engine}.session.json"
        self._codec = codec

    def read(self) -> Runtime:
        """Read the session; an empty one if there is none."""
        try:
            raw = msgspec.json.decode(self._path.read_bytes())
            params = self._codec.deserialize(raw)
        except Exception:  # noqa: BLE001 - a codec is anybody's code, and the file anybody's bytes
            params = None
        if params is None:
            return Runtime()
        session = params.get("sessionId")
        return Runtime(session if isinstance(session, str) else None, dict(params))

    def keep(self, params: Mapping[str, Any] | None) -> None:
        """Store the parameters, unless the codec rejects them."""
        kept = None if params is None else self._codec.serialize(params)
        if kept is not None:
            self._path.touch(mode=0o600)
            self._path.write_bytes(msgspec.json.encode(kept))

    def drop(self) -> None:
        """Delete the session."""
        self._path.unlink(missing_ok=True)


class ManagedEngine:
    """An engine with options, session and watcher. ``options`` are the user's; ``watch`` gets each log entry.

    ``test_first``: run the environment test first and don't ask if it has an error; built-in engines check themselves.
    ``origin`` is the engine's source.
    """

    def __init__(
        self,
        engine: Engine,
        options: Mapping[str, Any],
        run_root: str,
        *,
        watch: Watch | None = None,
        test_first: bool = False,
        origin: EngineOrigin = BUILT_IN,
    ) -> None:
        self.origin = origin
        self._engine = engine
        self._options = options
        self._watch = watch
        self._test_first = test_first
        codec = getattr(engine, "session_codec", None) or PlainCodec()
        self._session = SessionFile(run_root, engine.description.type, codec)
        self._rules = tuple(getattr(engine, "log_rules", ()))

    @property
    def description(self) -> EngineDescription:
        """The engine's."""
        return self._engine.description

    @property
    def capabilities(self) -> EngineCapabilities:
        """The engine's."""
        return read_capabilities(self._engine)

    async def test_environment(self, config: Mapping[str, Any]) -> tuple[EnvironmentCheck, ...]:
        """The engine's, with the user's options."""
        checks = await self._engine.test_environment({**self._options, **config})
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
        """Ask the engine, with the task's session if it declares that it can resume one."""
        config = {**self._options, **ctx.config}
        agent = replace(ctx.agent, adapter_config=config)
        asked = replace(ctx, config=config, agent=agent, on_log=self._watch_output(ctx))
        if self._test_first:
            checks = await self._engine.test_environment(asked.config)
            blocking = next((check for check in checks if check.level is CheckLevel.ERROR), None)
            if blocking is not None:
                return ExecutionResult(
                    error_code=blocking.code, error_message=blocking.message, error_hint=blocking.hint
                )
        if not self.capabilities.session_resume:
            return await self._engine.execute(asked)
        runtime = self._session.read()
        result = await self._engine.execute(replace(asked, runtime=runtime))
        if result.clear_session:
            self._session.drop()
            if result.failed and runtime.session_params is not None:
                result = await self._engine.execute(asked)
        if not result.failed and not result.clear_session:
            self._session.keep(result.session_params)
        return result

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
