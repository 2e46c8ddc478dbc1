"""The kit for engines finds each fault that it asks about, and nothing in an engine that keeps the contract."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from chat_server import KEY, MARK, Says, chat_server

from verigate.conformance.engine_kit.bench import EngineBench, EngineUnderTest
from verigate.conformance.engine_kit.kit import check_engine
from verigate.domain.conformance import Conformance, ConformanceAnswer
from verigate.errors import UsageError
from verigate.processes.engine_processes import EngineProcesses
from verigate.processes.streams import Redactor
from verigate.sdk.engine import (
    CheckLevel,
    Engine,
    EngineCapabilities,
    EngineDescription,
    EngineServices,
    EnvironmentCheck,
    ExecutionContext,
    ExecutionResult,
    find_answer,
    read_request,
    run_program,
)
from verigate.verifier.http.engine import HttpEngine
from verigate.verifier.http.server import HttpServer
from verigate.verifier.program import Program
from verigate.verifier.programs.engine import ProgramEngine

NOW = "2026-01-02T03:04:05Z"
GOOD = """\
import json, os, re, sys
prompt = sys.stdin.read()
mark = re.search("The mark of the fences is ([0-9a-f]{32})", prompt)[1]
answers = [{"question": "q1", "answer": "abstain", "citations": [], "why": "x"}]
if "--resume" in sys.argv:
    session = sys.argv[sys.argv.index("--resume") + 1]
    if not os.path.exists("../" + session):
        print(json.dumps({"t": "e", "text": "who is that"})); sys.exit(1)
else:
    session = "s" + str(os.getpid())
    open("../" + session, "w").close()
print(json.dumps({"t": "s", "id": session}), flush=True)
print(json.dumps({"t": "m", "text": json.dumps({"mark": mark, "answers": answers})}))
print(json.dumps({"t": "u", "i": 3, "o": 4, "c": 0.5}))
"""
TALKER = msgspec.convert(
    {
        "type": "talker",
        "label": "Talker",
        "agentConfigurationDoc": "Use when: always.",
        "capabilities": {"json_output": True, "session_resume": True, "cost_reporting": True},
        "arguments": [{"words": ["--resume", "{session}"], "needs": "session"}],
        "unknown_session": ["who is that"],
        "credentials": ["TALKER_KEY"],
        "environment": ["TALKER_KEY"],
        "version": [],
        "log": [
            {"kind": "session", "when": {"/t": "s"}, "fields": {"session": ["/id"]}},
            {"kind": "message", "when": {"/t": "m"}, "text": ["/text"]},
            {"kind": "usage", "when": {"/t": "u"},
             "fields": {"input_tokens": ["/i"], "output_tokens": ["/o"], "cost": ["/c"]}},
            {"kind": "error", "when": {"/t": "e"}, "text": ["/text"], "fields": {"error": ["/text"]}},
        ],
    },
    Program,
)  # fmt: skip


def check(
    folder: Path, subject: EngineUnderTest, *chosen: str, environ: Mapping[str, str] | None = None
) -> Conformance:
    given = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), **(environ or {})}
    root = folder / "check/verigate-engine-run-x"
    root.mkdir(parents=True)
    (folder / "check/tmp").mkdir()
    secrets = [value for name, value in given.items() if name.endswith("_KEY")]
    processes = EngineProcesses(sys.executable, Redactor([*secrets, "canary-5d1f7c0e9ab24c1b"]), lambda: NOW)
    services = EngineServices(given, processes, str(root), lambda: NOW, time.monotonic)
    return check_engine(EngineBench(subject, services, folder / "check", 20.0), chosen)


def program(folder: Path, script: str, **more: Any) -> EngineUnderTest:
    (folder / "model.py").write_text(script)
    described = msgspec.structs.replace(TALKER, command=(sys.executable, str(folder / "model.py")), **more)
    return EngineUnderTest("talker", "here", lambda services: ProgramEngine(described, services), {})


def codes(report: Conformance) -> set[str]:
    return {finding.code for finding in report.findings}


def test_a_program_that_keeps_the_contract_conforms(tmp_path: Path) -> None:
    report = check(tmp_path, program(tmp_path, GOOD))
    assert [item for item in report.checked if item.answer is not ConformanceAnswer.HOLDS] == []
    assert report.exit_code == 0
    assert len(report.checked) == 12
    assert report.conditions == {"calls that may have asked the model": "6"}


LEAVES = "sys.exit(3) if '--resume' in sys.argv else 0"
FIRST = 'print(json.dumps({"t": "s"'
BROKEN_PROGRAMS: dict[str, tuple[str, str]] = {
    "it has no answer": (GOOD.replace('"t": "m"', '"t": "x"'), "unreadable_answer"),
    "it forgets the mark": (GOOD.replace('"mark": mark', '"mark": "x"'), "unreadable_answer"),
    "it fails": ("import sys; sys.exit('boom')", "execute_failed"),
    "no cost": (GOOD.replace(', "c": 0.5', ""), "cost"),
    "no session": (GOOD.replace('{"t": "s", "id": session}', '{"t": "s"}'), "session"),
    "it takes any session": (GOOD.replace('os.path.exists("../" + session)', "True"), "unknown_session"),
    "it can't resume": (GOOD.replace(FIRST, f"{LEAVES}\n{FIRST}"), "resume_failed"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN_PROGRAMS)
def test_what_a_program_does_wrong_is_found(case: str, tmp_path: Path) -> None:
    script, code = BROKEN_PROGRAMS[case]
    report = check(tmp_path, program(tmp_path, script), "execute", "resume", "unknown_session")
    assert code in codes(report), report
    assert report.exit_code == 1


def test_a_missing_program_ends_the_check_early(tmp_path: Path) -> None:
    described = msgspec.structs.replace(TALKER, command=("/no/such/program",))
    subject = EngineUnderTest("talker", "here", lambda services: ProgramEngine(described, services), {})
    report = check(tmp_path, subject)
    assert codes(report) == {"environment_error"}
    not_run = {item.check for item in report.of(ConformanceAnswer.NOT_RUN)}
    assert {"execute", "time", "cancel", "malformed"} <= not_run
    assert report.conditions == {"calls that may have asked the model": "0"}


class Own:
    """An engine of a package that keeps the contract."""

    description = EngineDescription("own", "Own", (), "Use when: always.")
    capabilities = EngineCapabilities(json_output=True)

    def __init__(self, services: EngineServices) -> None:
        self.services = services

    async def test_environment(self, config: Mapping[str, Any]) -> tuple[EnvironmentCheck, ...]:
        if config.keys() - {"model"}:
            return (EnvironmentCheck("options", CheckLevel.ERROR, "unknown", hint="look"),)
        return (EnvironmentCheck("fine", CheckLevel.INFO, "fine"),)

    def script(self) -> str:
        return GOOD.replace('"../"', '"./"')

    async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
        request = read_request(ctx.context)
        environ = self.environ()
        command = (sys.executable, "-c", self.script())
        done = await run_program(
            self.services, ctx, command, prompt=request.prompt, environ=environ, timeout_s=request.timeout_s
        )
        return self.read(done)

    def environ(self) -> dict[str, str]:
        return {"PATH": self.services.environ["PATH"]}

    def read(self, done: Any) -> ExecutionResult:
        if done.failed:
            return ExecutionResult(exit_code=done.exit_code, signal=done.signal, timed_out=done.timed_out,
                                   error_code="engine_failed", error_message="it failed")  # fmt: skip
        texts = [item.get("text", "") for line in done.stdout.splitlines() if (item := find_answer(line)) is not None]
        return ExecutionResult(exit_code=0, result_json=find_answer("".join(filter(str.__instancecheck__, texts))))


class Nameless(Own):
    description = EngineDescription("other", " ")


class Raises(Own):
    async def test_environment(self, config: Mapping[str, Any]) -> tuple[EnvironmentCheck, ...]:
        raise RuntimeError(f"boom: {config}")


class Careless(Own):
    """It takes the first text for the answer, whatever the exit code."""

    def read(self, done: Any) -> ExecutionResult:
        found = re.findall(r'"text": ("(?:[^"\\]|\\.)*")', done.stdout)
        return ExecutionResult(exit_code=0, output=json.loads(found[0]) if found else None)


class Fragile(Own):
    def read(self, done: Any) -> ExecutionResult:
        document = json.loads(done.stdout.splitlines()[1])
        return ExecutionResult(exit_code=0, output=document["text"])


class Talkative(Own):
    """It gives the whole environment to its program, which prints it, and repeats that."""

    def environ(self) -> dict[str, str]:
        return dict(self.services.environ)

    async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
        result = await super().execute(ctx)
        await ctx.on_log("stderr", f"{self.services.environ}\n")
        return result


class Generous(Own):
    """It gives the whole environment to its program."""

    def environ(self) -> dict[str, str]:
        return dict(self.services.environ)


class Slow(Own):
    async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
        await asyncio.sleep(12 if read_request(ctx.context).timeout_s < 2 else 0)
        return await super().execute(ctx)


class Deaf(Own):
    async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
        try:
            return await super().execute(ctx)
        except asyncio.CancelledError:
            return ExecutionResult(exit_code=0, output="{}")


LEFT: list[subprocess.Popen[bytes]] = []


def leave_program(folder: str) -> None:
    LEFT.append(subprocess.Popen(["sleep", "30"], cwd=folder))


class Forking(Own):
    """It starts a program of its own, and leaves it."""

    async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
        leave_program(self.services.run_root)
        return await super().execute(ctx)


class Untidy(Own):
    async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
        (Path(self.services.run_root).parent / "mine").touch()
        return await super().execute(ctx)


class Silent(Own):
    def script(self) -> str:
        return ""

    def read(self, done: Any) -> ExecutionResult:
        return ExecutionResult(exit_code=done.exit_code)


class Hopeless(Own):
    async def list_skills(self, config: Mapping[str, Any]) -> tuple[str, ...]:
        return ("a", "b", *config)


FAULTS: dict[str, tuple[type[Own], tuple[str, ...], set[str]]] = {
    "none": (Own, (), set()),
    "no name": (Nameless, ("description",), {"type", "label", "document"}),
    "it raises": (Raises, ("environment", "bad_option"), {"raises"}),
    "a crash is an answer": (Careless, ("execute", "malformed"), {"malformed_taken"}),
    "garbage makes it raise": (Fragile, ("execute", "malformed"), {"malformed_raises", "malformed_taken"}),
    "it repeats secrets": (Talkative, ("execute", "secrets"), {"secret"}),
    "it passes on everything": (Generous, ("execute", "secrets"), {"undeclared_variable"}),
    "it is late": (Slow, ("time",), {"late"}),
    "it can't be cancelled": (Deaf, ("cancel",), {"cancel"}),
    "it leaves a program": (Forking, ("execute", "cleanup"), {"processes"}),
    "it leaves a file": (Untidy, ("execute", "cleanup"), {"left_behind"}),
    "it says nothing": (Silent, ("execute",), {"unreadable_answer", "no_log"}),
    "skills of another kind": (Hopeless, ("skills",), {"skills"}),
}


@pytest.mark.parametrize("case", FAULTS)
def test_what_an_engine_of_a_package_does_wrong_is_found(case: str, tmp_path: Path) -> None:
    kind, chosen, expected = FAULTS[case]

    def make(services: EngineServices) -> Engine:
        return kind(services)

    environ = {"OTHER_KEY": "another-secret-0123"}
    try:
        report = check(tmp_path, EngineUnderTest("own", "here", make, {}), *chosen, environ=environ)
    finally:
        while LEFT:
            with LEFT.pop() as process:
                process.kill()
    assert codes(report) == expected, report
    assert all(finding.fix for finding in report.findings)


def serve(folder: Path, *chosen: str, **more: Any) -> Conformance:
    said = {"mark": MARK, "answers": [{"question": "q1", "answer": "abstain", "citations": [], "why": "x"}]}
    server = HttpServer("http", "local", "Local", configuration_doc="Use when: always.", **more)
    with chat_server(Says(json.dumps(said)), key=KEY) as running:
        options = {"base_url": running.url, "key_from": "LOCAL_KEY"}
        subject = EngineUnderTest("local", "here", lambda services: HttpEngine(server, services), options, is_http=True)
        return check(folder, subject, *chosen, environ={"LOCAL_KEY": KEY})


def test_a_server_that_keeps_the_contract_conforms(tmp_path: Path) -> None:
    report = serve(tmp_path)
    assert report.exit_code == 0, report
    assert {item.check for item in report.of(ConformanceAnswer.NOT_ASKED)} == {"resume", "unknown_session", "skills"}


def test_a_check_that_isn_t_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        check(tmp_path, program(tmp_path, GOOD), "exekute")
    assert caught.value.hint is not None
    assert "execute" in caught.value.hint
