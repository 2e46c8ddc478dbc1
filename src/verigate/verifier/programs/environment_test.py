"""Test whether a program can be asked: its setup without starting it, then its version and its login. Asks no model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from verigate.domain.engine import CheckLevel, EngineServices, EnvironmentCheck
from verigate.domain.execution import Invocation, Outcome
from verigate.errors import ExecutionError, UsageError
from verigate.sdk.engine.environment import find_command
from verigate.verifier.lifecycle.command import build_environment, locate_command
from verigate.verifier.lifecycle.context import resolve_parameters
from verigate.verifier.lifecycle.options import Options
from verigate.verifier.lifecycle.skill import SkillManifest, read_skill
from verigate.verifier.lifecycle.skill_keys import InputKey, resolve_value
from verigate.verifier.lifecycle.trust import TrustRegister
from verigate.verifier.program import Program
from verigate.verifier.programs.credentials import find_credentials_source
from verigate.verifier.programs.failures import find_last_line

_ANSWER_S = 20.0


def check_setup(program: Program, options: Options, environ: Mapping[str, str]) -> tuple[EnvironmentCheck, ...]:
    """Check what keeps a program from being started; starts nothing itself."""
    name = program.description.name
    command = options.command or program.command
    if not command:
        return (_error("no_command", f"{name} has no command", "set command in its options"),)
    found = find_command(command, environ)
    if found is None:
        hint = program.install or "install it, or set command in the engine's options"
        return (_error("missing_program", f"{command[0]} is not on PATH", hint),)
    checks = [EnvironmentCheck("program", CheckLevel.INFO, f"{command[0]} is found", found)]
    if program.credentials:
        checks.append(_check_credentials(program, environ))
    checks += _check_skill(options, environ)
    model = options.model or "the program's own default"
    return (*checks, EnvironmentCheck("model", CheckLevel.INFO, f"the model is {model}"))


def _check_skill(options: Options, environ: Mapping[str, str]) -> Iterator[EnvironmentCheck]:
    """Check the skill, its input files and what its dependencies need."""
    skill = SkillManifest()
    if options.skill is not None:
        try:
            skill = read_skill(Path(options.skill))
        except UsageError as problem:
            yield EnvironmentCheck("skill", CheckLevel.ERROR, problem.message, problem.where, problem.hint)
            return
        yield EnvironmentCheck("skill", CheckLevel.INFO, f"the skill {skill.id} is found", options.skill)
    for name in sorted({*skill.input, *options.inputs}):
        yield from _check_input(name, skill.input.get(name, InputKey()), options.inputs)
    try:
        resolve_parameters(skill.parameter, options.parameters, {})
    except UsageError as problem:
        yield _error(problem.code.lower(), problem.message, problem.hint or "see the skill's runner.json")
    if skill.dependencies and find_command(("uv",), environ) is None:
        hint = "install uv (https://docs.astral.sh/uv/), or take the dependencies out of the skill"
        yield _error("missing_uv", "uv is not on PATH, and the skill's dependencies need it", hint)


def _check_input(name: str, key: InputKey, given: Mapping[str, Any]) -> Iterator[EnvironmentCheck]:
    hint = f"name it in inputs of the engine's options: {name} = the path of a file"
    if key.type != "file":
        try:
            resolve_value(name, key, given, "input")
        except UsageError as problem:
            yield _error(problem.code.lower(), problem.message, problem.hint or hint)
    elif given.get(name) is None:
        yield _error("missing_input", f"the input file {name!r} of the skill isn't given", hint)
    elif not isinstance(given[name], str) or not Path(given[name]).is_file():
        yield _error("missing_input", f"the input file {name!r} is missing", hint, str(given[name])[:200])


def _check_credentials(program: Program, environ: Mapping[str, str]) -> EnvironmentCheck:
    source = find_credentials_source(program, environ)
    if source is not None:
        return EnvironmentCheck("credentials", CheckLevel.INFO, f"credentials come from {source}")
    names = ", ".join(source.partition("#")[0] for source in program.credentials)
    message = "no credentials are found where the gate looks; the program may have its own"
    return EnvironmentCheck("credentials", CheckLevel.WARN, message, hint=f"log in, or set one of {names}")


def check_trust(program: Program, environ: Mapping[str, str]) -> tuple[EnvironmentCheck, ...]:
    """Check that a run folder can be registered as trusted; () if the program needs no trust."""
    if program.trust is None or not program.capabilities.trust_folder:
        return ()
    register = TrustRegister(program.trust, environ)
    try:
        register.examine()
    except ExecutionError as problem:
        return (EnvironmentCheck("trust", CheckLevel.ERROR, problem.message, problem.where, problem.hint),)
    message = "run folders can be registered as trusted"
    return (EnvironmentCheck("trust", CheckLevel.INFO, message, str(register.path)),)


async def check_answers(program: Program, options: Options, services: EngineServices) -> tuple[EnvironmentCheck, ...]:
    """Start the program to ask for its version, and whether it is logged in."""
    checks: list[EnvironmentCheck] = []
    if program.version:
        checks.append(await _check_version(program, options, services))
    if any(check.level is CheckLevel.ERROR for check in checks) or services.processes is None:
        return tuple(checks)
    if program.login is not None and program.login.unless not in options.settings:
        checks.append(await _check_login(program, program.login.words, options, services))
    return tuple(checks)


async def _check_version(program: Program, options: Options, services: EngineServices) -> EnvironmentCheck:
    if services.processes is None:
        return EnvironmentCheck("version", CheckLevel.INFO, "its version wasn't asked for")
    try:
        outcome, said = await _run(program, program.version, options, services)
    except ExecutionError as problem:
        return _error("version", problem.message, problem.hint)
    if outcome.ok:
        return EnvironmentCheck("version", CheckLevel.INFO, said)
    return EnvironmentCheck("version", CheckLevel.ERROR, "it doesn't tell its version", said, program.install)


async def _check_login(
    program: Program, words: Sequence[str], options: Options, services: EngineServices
) -> EnvironmentCheck:
    """Ask the program whether it is logged in. A no is a warning: a key for another provider may do."""
    asked = " ".join(((options.command or program.command)[0], *words))
    try:
        outcome, _ = await _run(program, words, options, services)
    except ExecutionError as problem:
        return EnvironmentCheck("login", CheckLevel.WARN, problem.message, hint=problem.hint)
    if outcome.ok:
        return EnvironmentCheck("login", CheckLevel.INFO, "it says that it is logged in", asked)
    message = "it says that it isn't logged in"
    hint = "log in with the program itself, unless its provider takes a key"
    return EnvironmentCheck("login", CheckLevel.WARN, message, asked, hint)


async def _run(
    program: Program, words: Sequence[str], options: Options, services: EngineServices
) -> tuple[Outcome, str]:
    """Run the program with these words; return its outcome and the last line that it printed."""
    assert services.processes is not None, "the caller looks"  # noqa: S101
    command = (*locate_command(options.command or program.command, services.environ), *words)
    environ = build_environment(program, services.environ, options.env_from)
    invocation = Invocation(command, services.run_root, environ, _ANSWER_S)
    outcome, out, err = await services.processes.run(invocation)
    return outcome, find_last_line((out + err).decode("utf-8", "replace"))


def _error(code: str, message: str, hint: str | None, detail: str | None = None) -> EnvironmentCheck:
    return EnvironmentCheck(code, CheckLevel.ERROR, message, detail, hint)
