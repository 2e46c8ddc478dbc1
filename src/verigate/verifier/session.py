"""Go on with a task's session, and start once again without it where that fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from verigate.domain.engine import Engine, EngineServices, ExecutionContext, ExecutionResult, Runtime, read_capabilities
from verigate.verifier.session_file import PlainCodec, SessionFile

_LEAST_SHARE = 1 / 3
"""Share of the time that must be left to ask again: a program whose time is over has less."""


def open_session(engine: Engine, services: EngineServices) -> TaskSession | None:
    """Open the task's session with an engine; None if the engine doesn't declare that it can resume one."""
    if not read_capabilities(engine).session_resume:
        return None
    codec = getattr(engine, "session_codec", None) or PlainCodec()
    return TaskSession(SessionFile(services.run_root, engine.description.type, codec), services.monotonic)


class TaskSession:
    """The session of a task with one engine. ``monotonic`` counts seconds."""

    def __init__(self, file: SessionFile, monotonic: Callable[[], float]) -> None:
        self._file = file
        self._monotonic = monotonic

    async def execute(self, engine: Engine, ctx: ExecutionContext) -> ExecutionResult:
        """Ask with the session. A resumed one that fails, however, is dropped, and the engine asked once without."""
        runtime, began = self._file.read(), self._monotonic()
        try:
            result = await self._resume(engine, ctx, runtime)
            why = f"{result.error_code or 'failed'}: {result.error_message or ''}" if result.failed else ""
        except (Exception, SystemExit) as problem:  # an engine is anybody's code
            if runtime.session_params is None:
                raise
            result, why = ExecutionResult(exit_code=1), f"{type(problem).__name__}: {problem}"
        if result.clear_session or result.failed:
            self._file.drop()
        if result.failed and runtime.session_params is not None:
            again = _shorten(ctx, self._monotonic() - began)
            if again is None:
                return result
            await ctx.on_log("stderr", f"warning: the session can't be resumed, a new one starts ({why[:300]})\n")
            result = _add_cost(await engine.execute(again), result)
        if not result.failed and not result.clear_session:
            self._file.keep(result.session_params)
        return self._file.label(result)

    async def _resume(self, engine: Engine, ctx: ExecutionContext, runtime: Runtime) -> ExecutionResult:
        try:
            return await engine.execute(replace(ctx, runtime=runtime))
        except asyncio.CancelledError:
            self._file.drop()  # the caller's time is over, or the gate is interrupted: nobody knows where it stands
            raise


def _shorten(ctx: ExecutionContext, spent_s: float) -> ExecutionContext | None:
    """Return the request with the time that is left, None if that is too little."""
    limit: Any = ctx.context.get("timeoutS")
    if not isinstance(limit, int | float):
        return ctx
    left = limit - spent_s
    return None if left < limit * _LEAST_SHARE else replace(ctx, context={**ctx.context, "timeoutS": left})


def _add_cost(result: ExecutionResult, failed: ExecutionResult) -> ExecutionResult:
    """Add what the failed execution used, as far as it reported that: both count against the budgets."""
    usage = result.usage + failed.usage if result.usage and failed.usage else result.usage
    both = result.cost_usd is not None and failed.cost_usd is not None
    cost = (result.cost_usd or 0.0) + (failed.cost_usd or 0.0) if both else result.cost_usd
    return replace(result, usage=usage, cost_usd=cost)
