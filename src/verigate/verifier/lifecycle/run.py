"""One execution of a program, phase by phase. The methods have the names and signatures of the fourth document."""

from __future__ import annotations

import json
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from msgspec.structs import replace

from verigate.domain.engine import EngineServices, ExecutionContext, Stream
from verigate.domain.engine_request import EngineRequest
from verigate.domain.execution import Invocation, Outcome
from verigate.domain.sent_request import NOT_SETTABLE, SentRequest, SentSkill
from verigate.errors import ExecutionError, GateError
from verigate.verifier.lifecycle.command import build_argv, locate_command, wrap_with_dependencies
from verigate.verifier.lifecycle.config_file import resolve_config, write_config
from verigate.verifier.lifecycle.context import render_prompt, resolve_inputs, resolve_parameters
from verigate.verifier.lifecycle.faults import FaultWatch, FoundFault
from verigate.verifier.lifecycle.options import Options
from verigate.verifier.lifecycle.parse import ParsedOutput, parse_output, read_output
from verigate.verifier.lifecycle.session_log import complete_from_session
from verigate.verifier.lifecycle.setup import LOGS, UPLOADS, DeliveredSkill, deliver_skill, install_skill
from verigate.verifier.lifecycle.skill import SKILL_FILE, SkillManifest
from verigate.verifier.lifecycle.strict_schema import require_all_properties
from verigate.verifier.lifecycle.trust import TrustRegister
from verigate.verifier.program import Program

_KEPT_OUTPUT = 16 * 1024 * 1024
_TOO_MUCH = "it printed more than 16 MiB, and not all of that is kept"


class EngineRun:
    """One run, with the state that its phases share. ``outcome`` is the ended process; ``warnings`` are reported.

    ``environ`` is the program's environment. ``sent`` is what the program was given for its model.
    """

    def __init__(
        self,
        program: Program,
        services: EngineServices,
        ctx: ExecutionContext,
        *,
        request: EngineRequest,
        options: Options,
        environ: Mapping[str, str],
    ) -> None:
        self.program = program
        self.outcome = Outcome()
        self.printed = ParsedOutput()
        self.warnings: list[str] = []
        # No description of a program has a placeholder for either.
        self.sent = SentRequest(NOT_SETTABLE, NOT_SETTABLE)
        self._services = services
        self._ctx = ctx
        self._request = request
        self._options = options
        self._environ = environ
        self._settings: dict[str, Any] = {}
        self._delivered = DeliveredSkill()
        self._faults = FaultWatch(program.faults)
        self._stdin = b""
        self._stderr = ""

    async def run(self, skill: SkillManifest, run_dir: Path, session: str | None) -> dict[str, Any] | None:
        """Run all phases; return the answer, None if it is unreadable. Raises GateError if it can't be started."""
        config = self._construct_config(skill, run_dir, dict(self._options.settings))
        try:
            self._setup_environment(skill, run_dir, config)
            values = {name: value for name, value in self._options.inputs.items() if name in skill.input}
            prompt = self._build_prompt(skill, run_dir, values)
            command = self._command(skill, run_dir, config, session)
            _, out, _ = await self._run_trusted(command, run_dir, prompt)
        finally:
            if self._delivered.link is not None:
                self._delivered.link.unlink(missing_ok=True)
        return self._parse_output(out)

    def _construct_config(self, skill: SkillManifest, run_dir: Path, options: dict[str, Any]) -> Path:
        """Phase 1: merge the layers, write the result into the run folder. Returns the file's path."""
        merged = resolve_config(self.program, skill, options, self._options.source)
        self._settings = merged.values
        return write_config(self.program.config_file, merged.values, run_dir)

    def _setup_environment(self, skill: SkillManifest, run_dir: Path, config_path: Path) -> Path:  # noqa: ARG002
        """Phase 2: install the skill, patched. Returns its folder."""
        installed = install_skill(skill, run_dir, self.program.folder)
        self._delivered = deliver_skill(skill, installed.folder, self.program.skills, self._services.environ)
        if installed.sha256 is not None:
            self.sent = replace(self.sent, skill=SentSkill(skill.id, installed.sha256))
            if not self._delivered.in_prompt:
                self._add_sent(SKILL_FILE, installed.folder / SKILL_FILE)
        name = self.program.instructions_file
        if name is not None and self._options.instructions is not None:
            try:
                (run_dir / name).write_bytes(Path(self._options.instructions).read_bytes())
            except OSError as problem:
                message = f"the instructions can't be read: {problem.strerror}"
                raise ExecutionError(message, where=self._options.instructions) from problem
            self._add_sent(name, run_dir / name)
        return installed.folder

    def _add_sent(self, name: str, path: Path) -> None:
        self.sent = replace(self.sent, files={**self.sent.files, name: path.read_text("utf-8", "replace")})

    def _build_prompt(self, skill: SkillManifest, run_dir: Path, input_data: dict[str, Any]) -> str:
        """Phase 3: resolve inputs, render, keep the prompt in the logs. Returns it."""
        inputs = resolve_inputs(skill.input, run_dir / UPLOADS, input_data)
        own = {
            "instruction": "" if self.program.system_prompt else self._request.instruction,
            "prompt": self._request.prompt,
            "task_id": self._request.task_id,
            "model": self._options.model or "",
        }
        parameters = resolve_parameters(skill.parameter, self._options.parameters, own)
        rendered = render_prompt(skill.prompt, inputs=inputs, parameters=parameters, shown=f"the skill {skill.id}")
        if self._delivered.in_prompt:
            rendered = f"{self._delivered.in_prompt}\n\n{rendered}"
        (run_dir / LOGS / "prompt.txt").write_text(rendered, "utf-8", "backslashreplace")
        apart = self._request.instruction if self.program.system_prompt else None
        self.sent = replace(self.sent, prompt=rendered, system_prompt=apart)
        return rendered

    def _command(self, skill: SkillManifest, run_dir: Path, config: Path, session: str | None) -> list[str]:
        program, capabilities, request = self.program, self.program.capabilities, self._request
        values = {"run_dir": str(run_dir), "config_file": str(config)}
        if self._options.model is not None:
            values["model"] = self._options.model
        if session is not None and capabilities.session_resume:
            values["session"] = session
            self.sent = replace(self.sent, resumed=session)
        if program.system_prompt:
            values["instruction"] = request.instruction
        if request.response_schema and capabilities.response_schema:
            wanted = (
                require_all_properties(request.response_schema) if program.strict_schema else request.response_schema
            )
            values["schema"] = json.dumps(wanted, ensure_ascii=False)
            path = run_dir / program.folder / "schema.json"
            path.write_text(values["schema"], "utf-8")
            values["schema_file"] = str(path)
        more = list(self._options.arguments)
        if self._delivered.by_flag:
            values["skills"] = str(run_dir / program.folder)
            more = [*(word.replace("{skills}", values["skills"]) for word in program.skills.flag), *more]
        command = locate_command(self._options.command or program.command, self._services.environ)
        vector = build_argv(program, command, values, self._settings, more)
        return wrap_with_dependencies(vector, skill.dependencies)

    async def _run_trusted(self, command: list[str], run_dir: Path, prompt: str) -> tuple[int, str, str]:
        """Phase 4 between 3.5 and 4.5."""
        environ = dict(self._environ)
        if self._delivered.variable is not None:
            environ[self._delivered.variable] = str(run_dir / self.program.folder / "skills")
        self._stdin = prompt.encode("utf-8", "backslashreplace")
        trust = self.program.trust
        if trust is None or not self.program.capabilities.trust_folder:
            return await self._execute_process(command, run_dir, environ)
        register = TrustRegister(trust, self._services.environ)
        register.register(str(run_dir))
        try:
            return await self._execute_process(command, run_dir, environ)
        finally:
            try:
                register.unregister(str(run_dir))
            except GateError as problem:
                self.warnings.append(f"{problem.message} ({problem.where}); the next run takes the entry out")

    async def _execute_process(self, cmd: list[str], run_dir: Path, env: dict[str, str]) -> tuple[int, str, str]:
        """Phase 4: run it, streams into the logs. Returns exit code (a signal is negative), stdout, stderr."""
        if self._services.processes is None:
            raise ExecutionError("nothing here may start processes")
        with (run_dir / LOGS / "stdout.log").open("w") as out, (run_dir / LOGS / "stderr.log").open("w") as err:
            files: Mapping[Stream, IO[str]] = {"stdout": out, "stderr": err}

            async def log(stream: Stream, chunk: str) -> None:
                files[stream].write(chunk)
                files[stream].flush()
                self._faults.read(stream, chunk)
                await self._ctx.on_log(stream, chunk)

            invocation = Invocation(tuple(cmd), str(run_dir), env, self._compute_limit(), _KEPT_OUTPUT)
            self.outcome, stdout, stderr = await self._services.processes.run(
                invocation,
                stdin=self._stdin,
                silence_s=self._options.silence_s,
                grace_s=self._options.grace_s,
                on_log=log,
                on_spawn=self._ctx.on_spawn,
                is_over=self._is_over,
            )
        ended = self.outcome
        code = ended.exit_code if ended.exit_code is not None else -(ended.signal or signal.SIGKILL)
        self._stderr = stderr.decode("utf-8", "replace")
        return code, stdout.decode("utf-8", "replace"), self._stderr

    def _is_over(self) -> bool:
        return self._faults.found is not None and self._faults.found.ends

    @property
    def fault(self) -> FoundFault | None:
        """The fault that the program printed, None if it printed none that its description knows."""
        return self._faults.found

    def _parse_output(self, raw_stdout: str) -> dict[str, Any] | None:
        """Phase 5: the answer in what was printed, None where there is none."""
        self.printed = read_output(raw_stdout, self.program.log, self.program.trailer, self._stderr)
        if self.program.session_log is not None:
            self.printed = complete_from_session(self.printed, self.program.session_log, self._services.environ)
        if self.outcome.stdout_bytes > _KEPT_OUTPUT:
            # The missing part may have retracted the answer.
            self.printed = replace(self.printed, payload=None, enveloped=True, error=_TOO_MUCH)
            return None
        return parse_output(raw_stdout, self.printed)

    def _compute_limit(self) -> float:
        """Compute the time limit in seconds: the request's, less the time to end the process, to report that here."""
        asked = self._request.timeout_s
        within = max(asked - self._options.grace_s - 1.0, asked * 0.7)
        return min(within, self._options.timeout_s) if self._options.timeout_s is not None else within
