"""Run a program as an engine, by its description: environment test, five phases, and a result."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from verigate.domain.engine import (
    CheckLevel,
    EngineCapabilities,
    EngineDescription,
    EngineServices,
    EngineSkill,
    EnvironmentCheck,
    ExecutionContext,
    ExecutionResult,
    InvocationMeta,
    Runtime,
)
from verigate.domain.engine_request import read_request
from verigate.errors import ExecutionError, GateError, UsageError
from verigate.extras import lack_of
from verigate.sdk.engine.environment import find_command
from verigate.verifier.lifecycle.artifacts import collect_artifacts
from verigate.verifier.lifecycle.command import build_environment
from verigate.verifier.lifecycle.config_file import resolve_config
from verigate.verifier.lifecycle.layers import MergedConfig
from verigate.verifier.lifecycle.options import Options, parse_options
from verigate.verifier.lifecycle.parse import ParsedOutput, extract_answer_text, find_last_error
from verigate.verifier.lifecycle.run import EngineRun
from verigate.verifier.lifecycle.setup import ARTIFACTS, name_delivery, prepare_run_folder
from verigate.verifier.lifecycle.skill import SkillManifest, find_own_skills, read_skill
from verigate.verifier.lifecycle.skill_keys import check_value
from verigate.verifier.options_schema import make_options_schema
from verigate.verifier.program import LogRule, Program
from verigate.verifier.programs.credentials import find_credentials_source
from verigate.verifier.programs.environment_test import check_answers, check_setup, check_trust
from verigate.verifier.programs.failures import PrintedFailure, name_failure
from verigate.verifier.programs.package_version import read_packaged_version
from verigate.verifier.session_file import PlainCodec, build_params, compute_usage


class ProgramEngine:
    """A program as an engine."""

    def __init__(self, program: Program, services: EngineServices) -> None:
        self._program = program
        self._services = services

    @property
    def program(self) -> Program:
        """Its description as a program."""
        return self._program

    @property
    def description(self) -> EngineDescription:
        """The engine's description."""
        return self._program.description

    @property
    def capabilities(self) -> EngineCapabilities:
        """The declared capabilities."""
        return self._program.capabilities

    @property
    def log_rules(self) -> tuple[LogRule, ...]:
        """The rules to read its output, line by line."""
        return self._program.log

    @property
    def options_schema(self) -> dict[str, Any]:
        """JSON Schema of its options."""
        key = self.capabilities.instructions_path_key
        bundle = {key: {"type": ["string", "null"]}} if self.capabilities.supports_instructions_bundle else {}
        return make_options_schema(Options, leave=("instructions", "source"), add=bundle)

    @property
    def config_path(self) -> str:
        """Path of its configuration file, relative to the run folder."""
        return self._program.config_file.path

    def explain_config(self, config: Mapping[str, Any]) -> MergedConfig:
        """Resolve its configuration with these options, and which layer set which key. Raises UsageError."""
        options = parse_options(self._program, config)
        skill = read_skill(Path(options.skill)) if options.skill is not None else SkillManifest()
        return resolve_config(self._program, skill, options.settings, options.source)

    async def list_skills(self, config: Mapping[str, Any]) -> tuple[EngineSkill, ...]:
        """List the user's skills, and the one in its options, with how each would reach the program."""
        options = parse_options(self._program, config)
        named = () if options.skill is None else (Path(options.skill),)
        folders = dict.fromkeys((*named, *find_own_skills(self._services.environ, self._services.repository)))
        delivery = name_delivery(self._program.skills)
        return tuple(
            EngineSkill(folder.name, delivery, str(folder), read_skill(folder).description) for folder in folders
        )

    async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
        """Run the program once. Errors are in the result, by name."""
        try:
            options = parse_options(self._program, ctx.config)
            blocking = next((check for check in self._check_setup(options) if check.level is CheckLevel.ERROR), None)
            if blocking is not None:
                return _to_failure(blocking.code, blocking.message, blocking.hint)
            return await self._run_phases(ctx, options)
        except ImportError as problem:
            lack = lack_of("engines", [problem.name or str(problem)])
            return _to_failure("missing_library", lack.message, lack.command)
        except UsageError as problem:
            return _to_failure(
                "configuration" if problem.code == "USAGE" else problem.code.lower(),
                _format_error(problem),
                problem.hint,
            )
        except GateError as problem:
            return _to_failure("not_started", _format_error(problem), problem.hint)

    async def _run_phases(self, ctx: ExecutionContext, options: Options) -> ExecutionResult:
        request = read_request(ctx.context)
        run_dir = Path(self._services.run_root) / self._program.type
        skill = read_skill(Path(options.skill)) if options.skill is not None else SkillManifest()
        prepare_run_folder(run_dir, {name: path for name, path in options.inputs.items() if name in skill.files})
        run = EngineRun(
            self._program,
            self._services,
            ctx,
            request=request,
            options=options,
            environ=self._build_environment(options),
        )
        await ctx.on_meta(self._describe_invocation(options, run_dir))
        answer = await run.run(skill, run_dir, ctx.runtime.session_id)
        for warning in run.warnings:
            await ctx.on_log("stderr", f"warning: {warning}\n")
        result = self._to_result(run, run_dir, options, answer, ctx.runtime)
        return result if result.failed else _add_products(result, skill, run_dir / ARTIFACTS)

    def _to_result(
        self, run: EngineRun, run_dir: Path, options: Options, answer: Mapping[str, Any] | None, before: Runtime
    ) -> ExecutionResult:
        outcome, printed = run.outcome, run.printed
        total = printed.usage if self._program.usage_of_session else None
        raw, stderr = (_read_log(run_dir, name) for name in ("stdout.log", "stderr.log"))
        known = ExecutionResult(
            exit_code=outcome.exit_code,
            signal=None if outcome.signal is None else _signal_name(outcome.signal),
            timed_out=outcome.timed_out and not (run.fault and run.fault.ends),
            usage=printed.usage if total is None else compute_usage(total, printed.session, before),
            session_id=printed.session,
            session_params=build_params(printed.session, total),
            session_display_id=PlainCodec().display_id({"sessionId": printed.session or ""}),
            provider=self._program.provider,
            model=options.model or printed.asked or printed.model,
            model_version=printed.model,
            engine_version=self._read_version_used(options, printed),
            cost_usd=printed.cost_usd if self._program.capabilities.cost_reporting else None,
            output=extract_answer_text(raw, printed) or None,
            result_json=answer,
            sent=run.sent,
        )
        error = printed.error or (find_last_error(raw, self._program.log) if outcome.exit_code != 0 else None)
        said = PrintedFailure(error, printed.status, raw + stderr, run.fault)
        return name_failure(known, self._program, said)

    def _read_version_used(self, options: Options, printed: ParsedOutput) -> str | None:
        program = find_command(options.command or self._program.command, self._services.environ)
        version = printed.version or read_packaged_version(program, self._program.package)
        return None if version is None else f"{self.description.name} {version}"

    def _build_environment(self, options: Options) -> dict[str, str]:
        return build_environment(self._program, self._services.environ, options.env_from)

    def _describe_invocation(self, options: Options, run_dir: Path) -> InvocationMeta:
        command = options.command or self._program.command
        source = find_credentials_source(self._program, self._services.environ)
        notes = () if source is None else (f"credentials from {source}",)
        set_ = dict(self._program.set)
        return InvocationMeta(self._program.type, command[0], tuple(command[1:]), str(run_dir), set_, notes=notes)

    async def test_environment(self, config: Mapping[str, Any]) -> tuple[EnvironmentCheck, ...]:
        """Check options, program, credentials, skill, trust, version and login. Asks no model."""
        try:
            options = parse_options(self._program, config)
        except UsageError as problem:
            return (EnvironmentCheck("options", CheckLevel.ERROR, problem.message, problem.where, problem.hint),)
        checks = (*self._check_setup(options), *check_trust(self._program, self._services.environ))
        if any(check.level is CheckLevel.ERROR for check in checks):
            return checks
        return (*checks, *await check_answers(self._program, options, self._services))

    def _check_setup(self, options: Options) -> tuple[EnvironmentCheck, ...]:
        return check_setup(self._program, options, self._services.environ)


def _add_products(result: ExecutionResult, skill: SkillManifest, folder: Path) -> ExecutionResult:
    """Add the run's artifacts; a result that isn't as the skill declares it has failed, by name."""
    code = "invalid_output"
    try:
        if skill.output:
            check_value(result.result_json, skill.output, "the answer")
        code = "invalid_artifact"
        return replace(result, artifacts=collect_artifacts(folder, skill.artifact))
    except (UsageError, ExecutionError) as problem:
        named = problem.code.lower() if problem.code == "MISSING_ARTIFACT" else code
        return replace(result, error_code=named, error_message=_format_error(problem), error_hint=problem.hint)


def _to_failure(code: str, message: str, hint: str | None) -> ExecutionResult:
    return ExecutionResult(error_code=code, error_message=message, error_hint=hint)


def _format_error(problem: GateError) -> str:
    return f"{problem.message} ({problem.where})" if problem.where else problem.message


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"


def _read_log(run_dir: Path, name: str) -> str:
    try:
        return (run_dir / "logs" / name).read_text("utf-8", "replace")
    except OSError:
        return ""
