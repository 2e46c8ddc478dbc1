"""The engine: its description, its environment test, and one execution."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agreement_engine.agree import combine
from verigate.sdk.engine import (
    NOT_SETTABLE,
    CheckLevel,
    EngineCapabilities,
    EngineConfigError,
    EngineDescription,
    EngineServices,
    EnvironmentCheck,
    ExecutionContext,
    ExecutionResult,
    InvocationMeta,
    ProgramOutput,
    SentRequest,
    as_string,
    as_words,
    build_engine_environment,
    find_answer,
    find_command,
    read_request,
    run_program,
)

KNOWN = frozenset({"command", "env_from", "model", "optionsSource"})
DOCUMENT = """\
# agreement

Use when: a local model answers differently each time, and a slip of it must not settle anything.
Don't use when: a call is expensive: each question is asked twice.

Core fields: command (an argument vector, required), env_from, model.
"""


class Agreement:
    """Asks a program twice."""

    description = EngineDescription("agreement", "Two answers that agree", (), DOCUMENT)
    capabilities = EngineCapabilities(json_output=True)

    def __init__(self, services: EngineServices) -> None:
        self._services = services

    async def test_environment(self, config: Mapping[str, Any]) -> tuple[EnvironmentCheck, ...]:
        """Check the options, and whether the program is there. Starts nothing."""
        unknown = sorted(config.keys() - KNOWN)
        if unknown:
            message = f"there is no option {unknown[0]!r}"
            return (EnvironmentCheck("options", CheckLevel.ERROR, message, hint="known: command, env_from, model"),)
        try:
            command, environ = self._read_command(config), self._read_environment(config)
        except EngineConfigError as problem:
            return (EnvironmentCheck("options", CheckLevel.ERROR, problem.message, problem.where, problem.hint),)
        if not command:
            return (EnvironmentCheck("no_command", CheckLevel.ERROR, "it has no command", hint="set command"),)
        found = find_command(command, environ)
        if found is None:
            message = f"{command[0]} is not on PATH"
            return (EnvironmentCheck("missing_program", CheckLevel.ERROR, message, hint="install it, or set command"),)
        return (EnvironmentCheck("program", CheckLevel.INFO, f"{command[0]} is found", found),)

    async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
        """Ask twice, each time with half of the time. The gate has run the environment test before."""
        request = read_request(ctx.context)
        command, environ = self._read_command(ctx.config), self._read_environment(ctx.config)
        prompt = f"{request.instruction}\n{request.prompt}"
        await ctx.on_meta(InvocationMeta("agreement", command[0], command[1:], notes=("twice",)))
        answers = []
        for _ in range(2):
            done = await run_program(
                self._services, ctx, command, prompt=prompt, environ=environ, timeout_s=(request.timeout_s - 1) / 2
            )
            if done.failed or done.cut:
                return _fail(done)
            answers.append(find_answer(done.stdout))
        sent = SentRequest(NOT_SETTABLE, NOT_SETTABLE, prompt=prompt)
        known = {"exit_code": 0, "model": as_string(ctx.config, "model"), "sent": sent}
        first, second = answers
        both = None if first is None or second is None else combine(first, second)
        return ExecutionResult(**known, output=done.stdout if both is None else None, result_json=both)

    def _read_command(self, config: Mapping[str, Any]) -> tuple[str, ...]:
        command, model = as_words(config, "command"), as_string(config, "model")
        return (*command, "--model", model) if command and model else command

    def _read_environment(self, config: Mapping[str, Any]) -> dict[str, str]:
        return build_engine_environment(self._services.environ, as_words(config, "env_from"))


def _fail(done: ProgramOutput) -> ExecutionResult:
    """Name the failure of a call. What was printed is in the log, and not repeated here."""
    code = "timeout" if done.timed_out else "killed" if done.signal else "engine_failed"
    message = "the answer is too long" if done.cut else f"the program ended with exit code {done.exit_code}"
    return ExecutionResult(
        exit_code=done.exit_code,
        signal=done.signal,
        timed_out=done.timed_out,
        error_code=code,
        error_message=message,
        error_hint="see what it prints, with gate verify --watch",
    )


def create_engine(services: EngineServices) -> Agreement:
    """Create the engine: what the entry point names."""
    return Agreement(services)
