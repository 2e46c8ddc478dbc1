"""What an engine declares is what it gets; contexts and results have the fifth source document's names in JSON."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from verigate.domain.engine import (
    CheckLevel,
    EngineCapabilities,
    EngineDescription,
    EngineModel,
    EngineServices,
    EnvironmentCheck,
    EnvironmentTest,
    ExecutionContext,
    ExecutionResult,
    InvocationMeta,
    Spawned,
    Usage,
    describe_capabilities,
    describe_engine,
    normalize_engine_type,
    read_capabilities,
)
from verigate.domain.engine_request import EngineRequest, read_request

NOTHING = {
    "json_output": False,
    "response_schema": False,
    "session_resume": False,
    "cost_reporting": False,
    "trust_folder": False,
    "supportsLocalAgentJwt": False,
    "supportsInstructionsBundle": False,
    "instructionsPathKey": "instructionsFilePath",
    "requiresMaterializedRuntimeSkills": False,
    "supportsSkills": False,
}


class Silent:
    description = EngineDescription("silent", "Says nothing of itself")

    async def execute(self, *_: Any) -> ExecutionResult:
        return ExecutionResult(exit_code=0)

    async def test_environment(self, *_: Any) -> tuple[EnvironmentCheck, ...]:
        return ()


class Declaring(Silent):
    description = EngineDescription("my_agent", "Mine", (EngineModel("model-a", "Model A"),), "Use when: ...")
    capabilities = EngineCapabilities(json_output=True, supports_local_agent_jwt=True, instructions_path_key="agentsMd")


class Lister(Silent):
    def list_skills(self) -> list[str]:
        return []


class Syncer(Silent):
    def sync_skills(self) -> None:
        return


class NoMethod(Silent):
    list_skills = True
    sync_skills = None


class Pretender(Silent):
    capabilities = (("json_output", True),)  # not the record that was agreed on


def test_an_engine_that_declares_nothing_gets_nothing() -> None:
    assert describe_capabilities(Silent()) == NOTHING
    assert describe_capabilities(Pretender()) == NOTHING
    assert read_capabilities(Silent()) == EngineCapabilities()


def test_flags_are_told_by_their_own_names() -> None:
    expected = {**NOTHING, "json_output": True, "supportsLocalAgentJwt": True, "instructionsPathKey": "agentsMd"}
    assert describe_capabilities(Declaring()) == expected
    assert describe_engine(Declaring()) == {
        "type": "my_agent",
        "label": "Mine",
        "models": [{"id": "model-a", "label": "Model A"}],
        "agentConfigurationDoc": "Use when: ...",
        "capabilities": expected,
        "optionsSchema": None,
        "logRules": [],
    }


@pytest.mark.parametrize(("engine", "expected"), [(Lister(), True), (Syncer(), True), (NoMethod(), False)])
def test_supports_skills_is_derived_from_methods(engine: Any, *, expected: bool) -> None:
    assert describe_capabilities(engine)["supportsSkills"] is expected


@pytest.mark.parametrize(("name", "expected"), [("gemini-api", "gemini_api"), ("gemini_api", "gemini_api")])
def test_both_spellings_mean_one_engine(name: str, expected: str) -> None:
    assert normalize_engine_type(name) == expected
    assert EngineDescription(expected, "").name == "gemini-api"


@pytest.mark.parametrize("bad", ["", "Gemini", "gemini-api", "_x", "x_", "x__y", "1x", "x y", "x\n"])
def test_a_type_is_snake_case(bad: str) -> None:
    with pytest.raises(ValueError, match="engine type"):
        EngineDescription(bad, "")


def test_a_context_has_the_fields_of_the_document() -> None:
    document = ExecutionContext("r1", {"model": "m"}, {"taskId": "T"}).document()
    assert set(document) == {"runId", "agent", "runtime", "config", "context"}
    assert set(document["agent"]) == {"id", "companyId", "name", "adapterConfig"}
    assert document["runtime"] == {"sessionId": None, "sessionParams": None}


def test_callbacks_may_be_left_out_and_are_awaited() -> None:
    heard: list[Any] = []

    async def hear(*what: Any) -> None:
        heard.append(what)

    async def talk(ctx: ExecutionContext) -> None:
        await ctx.on_log("stdout", "text")
        await ctx.on_meta(InvocationMeta("silent"))
        await ctx.on_spawn(Spawned(1, "2026-01-01T00:00:00Z"))

    asyncio.run(talk(ExecutionContext("r", {}, {})))
    asyncio.run(talk(ExecutionContext("r", {}, {}, on_log=hear, on_meta=hear, on_spawn=hear)))
    assert heard == [("stdout", "text"), (InvocationMeta("silent"),), (Spawned(1, "2026-01-01T00:00:00Z"),)]


def test_a_result_has_the_fields_of_the_document() -> None:
    document = ExecutionResult(exit_code=0, usage=Usage(3, 4), session_params={"sessionId": "s"}).document()
    assert {
        *("exitCode", "signal", "timedOut", "errorMessage", "usage", "sessionParams", "sessionDisplayId"),
        *("provider", "model", "costUsd", "clearSession"),
    } <= set(document)
    assert document["usage"] == {"inputTokens": 3, "outputTokens": 4}


@pytest.mark.parametrize(
    ("result", "failed"),
    [
        (ExecutionResult(), False),
        (ExecutionResult(exit_code=0, output="{}"), False),
        (ExecutionResult(exit_code=1, output="{}"), True),
        (ExecutionResult(signal="SIGKILL", output="{}"), True),
        (ExecutionResult(exit_code=0, signal="SIGTERM", output="{}"), True),
        (ExecutionResult(exit_code=0, timed_out=True, output="{}"), True),
        (ExecutionResult(exit_code=0, error_code="truncated", output="{}"), True),
    ],
)
def test_what_was_killed_or_timed_out_or_named_an_error_has_failed(result: ExecutionResult, *, failed: bool) -> None:
    assert result.failed is failed


@pytest.mark.parametrize(
    ("levels", "status"),
    [((), "pass"), (("info",), "pass"), (("info", "warn"), "warn"), (("error", "warn"), "fail")],
)
def test_the_worst_check_is_the_status(levels: tuple[str, ...], status: str) -> None:
    checks = tuple(EnvironmentCheck(f"c{index}", CheckLevel(level), "m") for index, level in enumerate(levels))
    document = EnvironmentTest("gemini_api", checks, "2026-01-01T00:00:00Z").document()
    assert document["status"] == status
    assert document["adapterType"] == "gemini_api"
    assert document["testedAt"] == "2026-01-01T00:00:00Z"
    assert [check["level"] for check in document["checks"]] == list(levels)


def test_a_request_comes_back_from_the_context() -> None:
    request = EngineRequest("T1", "judge", "questions", {"type": "object"}, seed=7, timeout_s=3.5)
    assert request.context()["responseSchema"] == {"type": "object"}
    assert read_request(request.context()) == request


def test_services_dont_print_the_environment() -> None:
    services = EngineServices({"GEMINI_API_KEY": "secret"}, None, "/run", str, float)
    assert "secret" not in repr(services)
