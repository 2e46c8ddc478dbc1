"""The real google-genai client against a local server of its protocol: every answer and every error by its name."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from gemini_server import KEY, Asked, GeminiServer, Hangup, Json, Raw, Slow, Status, Text, gemini_server

from verigate.domain.engine import (
    EngineServices,
    EnvironmentTest,
    ExecutionContext,
    ExecutionResult,
    InvocationMeta,
    Usage,
    describe_capabilities,
)
from verigate.domain.engine_request import EngineRequest
from verigate.verifier.engines import find_engine
from verigate.verifier.gemini.engine import LOG, GeminiApi, Retries, create_engine
from verigate.verifier.gemini.settings import NoCredentialsError, read_settings
from verigate.verifier.run_log import parse_log_line

SCHEMA = {"type": "object", "properties": {"answers": {"type": "array"}}, "required": ["answers"]}
REQUEST = EngineRequest("T1", "the instruction", "the prompt", SCHEMA, seed=7, timeout_s=10, max_output_tokens=900)
QUICK = Retries(attempts=3, first_delay_s=0.01, longest_delay_s=0.02)
ANSWER = '{"answers": []}'


@pytest.fixture
def server() -> Iterator[GeminiServer]:
    with gemini_server(Text(ANSWER)) as running:
        yield running


def execute(
    server: GeminiServer,
    *,
    environ: Mapping[str, str] | None = None,
    config: Mapping[str, Any] | None = None,
    request: EngineRequest = REQUEST,
    **callbacks: Any,
) -> ExecutionResult:
    engine = GeminiApi(server.environment() if environ is None else environ, QUICK)
    context = ExecutionContext("r1", config or {"model": "gemini-x"}, request.context(), **callbacks)
    return asyncio.run(engine.execute(context))


def test_a_request_asks_for_what_the_issue_says_and_the_answer_comes_back(server: GeminiServer) -> None:
    result = execute(server)
    assert not result.failed, result
    assert (result.output, result.exit_code) == (ANSWER, 0)
    assert result.usage == Usage(100, 25)
    assert (result.provider, result.model, result.model_version) == ("google", "gemini-x", "gemini-2.5-flash-001")
    assert result.engine_version is not None
    assert result.engine_version.startswith("google-genai ")
    asked = server.asked[0]
    assert asked.path.endswith("/models/gemini-x:generateContent")
    assert (asked.prompt, asked.instruction) == ("the prompt", "the instruction")
    assert asked.headers["x-goog-api-key"] == KEY
    assert asked.config["temperature"] == 0
    assert asked.config["seed"] == 7
    assert asked.config["candidateCount"] == 1
    assert asked.config["maxOutputTokens"] == 900
    assert asked.config["responseMimeType"] == "application/json"
    assert asked.config["responseJsonSchema"] == SCHEMA
    assert "tools" not in asked.body


def test_a_stream_is_logged_while_it_comes_and_joined(server: GeminiServer) -> None:
    heard: list[tuple[str, str]] = []

    async def hear(stream: str, chunk: str) -> None:
        heard.append((stream, chunk))

    result = execute(server, config={"model": "gemini-x", "stream": True}, on_log=hear)
    assert not result.failed, result
    assert server.asked[0].path.endswith(":streamGenerateContent?alt=sse")
    assert result.output == ANSWER
    assert [stream for stream, _ in heard] == ["stdout"] * 4
    told = [entry for _, chunk in heard for entry in parse_log_line(chunk, LOG)]
    assert [entry.kind for entry in told] == ["message", "message", "message", "usage"]
    assert "".join(entry.text for entry in told) == ANSWER
    assert (result.usage, result.model_version) == (Usage(100, 25), "gemini-2.5-flash-001")


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        (Text(ANSWER), ["message: ", "usage: 100 input tokens, 25 output tokens"]),
        (Status(403, f"key {KEY} is no good"), ["error: not_permitted: "]),
    ],
)
def test_a_run_log_tells_what_was_said_and_counted_or_went_wrong(
    server: GeminiServer, reply: Any, wanted: list[str]
) -> None:
    heard: list[str] = []

    async def hear(_: str, chunk: str) -> None:
        heard.append(chunk)

    server.replies = [reply]
    execute(server, on_log=hear)
    shown = [entry.summary() for chunk in heard for entry in parse_log_line(chunk, LOG)]
    assert [line[: len(start)] for line, start in zip(shown, wanted, strict=True)] == wanted
    assert KEY not in "".join(heard)


@pytest.mark.parametrize("stream", [False, True])
def test_thoughts_are_no_part_of_the_answer(server: GeminiServer, *, stream: bool) -> None:
    server.replies = [Text(ANSWER, thought="let me say supported")]
    assert execute(server, config={"stream": stream}).output == ANSWER


BLOCKED = {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 5}}
ERRORS: list[tuple[Any, str, str, int]] = [
    (Status(429, "quota"), "rate_limited", "HTTP 429: quota", 3),
    (Status(500), "unavailable", "HTTP 500", 3),
    (Status(502), "unavailable", "HTTP 502", 3),
    (Status(503, "overloaded"), "unavailable", "HTTP 503: overloaded", 3),
    (Status(504), "timeout", "HTTP 504", 3),
    (Status(400, "bad schema"), "rejected_request", "HTTP 400: bad schema", 1),
    (Status(401), "not_permitted", "HTTP 401", 1),
    (Status(403), "not_permitted", "HTTP 403", 1),
    (Status(404), "model_not_found", "HTTP 404", 1),
    (Status(418), "rejected_request", "HTTP 418", 1),
    (Raw(b"<html>busy</html>", 503, "text/html"), "unavailable", "HTTP 503", 3),
    (Json(BLOCKED), "prompt_blocked", "SAFETY", 1),
    (Json({"promptFeedback": {"blockReason": "A_NEW_REASON"}}), "prompt_blocked", "A_NEW_REASON", 1),
    (Json({"candidates": []}), "empty_answer", "no answer", 1),
    (Json({}), "empty_answer", "no answer", 1),
    (Json({"candidates": [{"finishReason": "STOP"}]}), "empty_answer", "empty", 1),
    (Text("", finish="SAFETY"), "answer_blocked", "SAFETY", 1),
    (Text(ANSWER, finish="SAFETY"), "answer_blocked", "SAFETY", 1),
    (Text(ANSWER, finish="RECITATION"), "answer_blocked", "RECITATION", 1),
    (Text(ANSWER, finish="PROHIBITED_CONTENT"), "answer_blocked", "PROHIBITED_CONTENT", 1),
    (Text(ANSWER, finish="BLOCKLIST"), "answer_blocked", "BLOCKLIST", 1),
    (Text(ANSWER, finish="SPII"), "answer_blocked", "SPII", 1),
    (Text('{"answers": [', finish="MAX_TOKENS"), "truncated", "length limit", 1),
    (Text(ANSWER, finish="MAX_TOKENS"), "truncated", "length limit", 1),
    (Text('{"answ', finish=None), "truncated", "broke off", 1),
    (Text(ANSWER, finish="OTHER"), "stopped_early", "OTHER", 1),
    (Text(ANSWER, finish="MALFORMED_FUNCTION_CALL"), "stopped_early", "MALFORMED_FUNCTION_CALL", 1),
    (Text(ANSWER, finish="A_NEW_REASON"), "stopped_early", "A_NEW_REASON", 1),
    (Text(""), "empty_answer", "empty", 1),
    (Text(" \n"), "empty_answer", "empty", 1),
    (Text("", thought="thinking only"), "empty_answer", "empty", 1),
    (Raw(b"not JSON at all"), "malformed_response", "not the API's", 1),
    (Raw(b'{"candidates": "none"}'), "truncated", "broke off", 1),
    (Raw(b'{"candidates": [{"content": {"parts": [{"text": 7}]}}]}'), "malformed_response", "not the API's", 1),
]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("reply", "code", "told", "requests"), ERRORS)
def test_every_error_has_a_name(server: GeminiServer, reply: Any, code: str, told: str, requests: int) -> None:
    server.replies = [reply]
    result = execute(server)
    assert (result.failed, result.error_code) == (True, code), result
    assert result.error_message is not None
    assert told in result.error_message
    assert result.error_hint
    assert (result.model, result.provider) == ("gemini-x", "google")
    assert len(server.asked) == requests


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Status(429), "rate_limited"),
        (Text(ANSWER, finish="MAX_TOKENS"), "truncated"),
        (Text(ANSWER, finish=None), "truncated"),
        (Text("", finish="SAFETY"), "answer_blocked"),
        (Json(BLOCKED), "prompt_blocked"),
        (Raw(b"data: not JSON\r\n\r\n", kind="text/event-stream"), "malformed_response"),
        (Raw(b"", kind="text/event-stream"), "empty_answer"),
    ],
)
def test_errors_of_a_stream_have_the_same_names(server: GeminiServer, reply: Any, code: str) -> None:
    server.replies = [reply]
    result = execute(server, config={"stream": True})
    assert (result.failed, result.error_code) == (True, code), result


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_what_passes_is_asked_again(server: GeminiServer, status: int) -> None:
    server.replies = [Status(status), Status(status), Text(ANSWER)]
    assert execute(server).output == ANSWER
    assert len(server.asked) == 3
    assert len({json.dumps(asked.body) for asked in server.asked}) == 1


def test_waiting_grows_between_attempts(server: GeminiServer) -> None:
    at: list[float] = []

    def answer(_asked: Asked) -> Status:
        at.append(time.monotonic())
        return Status(503)

    server.answer = answer
    engine = GeminiApi(server.environment(), Retries(attempts=4, first_delay_s=0.05, longest_delay_s=5))
    asyncio.run(engine.execute(ExecutionContext("r", {}, REQUEST.context())))
    waits = [after - before for before, after in itertools.pairwise(at)]
    assert len(waits) == 3
    assert waits[0] >= 0.05
    assert waits[1] >= 0.1
    assert waits[2] >= 0.2


def test_a_silent_server_is_a_timeout(server: GeminiServer) -> None:
    server.replies = [Slow(30, Text(ANSWER))]
    began = time.monotonic()
    result = execute(server, request=EngineRequest("T1", "i", "p", SCHEMA, timeout_s=0.2))
    assert (result.error_code, result.timed_out) == ("timeout", True)
    assert time.monotonic() - began < 10


def test_nobody_there_is_unreachable() -> None:
    with gemini_server(Text(ANSWER)) as gone:
        environ = gone.environment()
    result = execute(gone, environ=environ)
    assert result.error_code == "unreachable"


def test_a_connection_that_is_closed_is_unreachable(server: GeminiServer) -> None:
    server.replies = [Hangup()]
    assert execute(server).error_code == "unreachable"


def test_a_redirect_is_not_followed_with_the_key(server: GeminiServer) -> None:
    with gemini_server(Text(ANSWER)) as other:
        server.replies = [Raw(b"{}", 307, location=f"{other.url}/v1/models/gemini-x:generateContent")]
        result = execute(server)
    assert result.failed
    assert other.asked == []


def test_a_server_that_repeats_the_key_doesn_t_get_it_into_the_evidence(server: GeminiServer) -> None:
    server.replies = [Status(400, f"API key {KEY} is not valid")]
    result = execute(server)
    assert KEY not in json.dumps(result.document())
    assert result.error_message is not None
    assert "<key>" in result.error_message


def test_what_is_told_before_a_call_holds_no_key(server: GeminiServer) -> None:
    told: list[InvocationMeta] = []

    async def hear(meta: InvocationMeta) -> None:
        told.append(meta)

    execute(server, on_meta=hear)
    assert told[0].adapter_type == "gemini_api"
    assert "GEMINI_API_KEY" in repr(told)
    assert KEY not in repr(told)


@pytest.mark.parametrize(
    ("usage", "expected"), [(None, None), ((0, 0, 0), Usage()), ((7, 3, 2), Usage(7, 5)), ((-5, -1, 0), Usage())]
)
def test_usage_is_what_was_counted(server: GeminiServer, usage: Any, expected: Usage | None) -> None:
    server.replies = [Text(ANSWER, usage=usage)]
    assert execute(server).usage == expected


# Credentials


def test_vertex_ai_with_a_key(server: GeminiServer) -> None:
    environ = {"GOOGLE_GENAI_USE_VERTEXAI": "true", "GOOGLE_API_KEY": KEY, "GOOGLE_VERTEX_BASE_URL": server.url}
    result = execute(server, environ=environ)
    assert (result.output, result.provider) == (ANSWER, "vertex-ai"), result
    assert "/publishers/google/models/gemini-x:generateContent" in server.asked[0].path
    assert server.asked[0].headers["x-goog-api-key"] == KEY


def test_vertex_ai_with_a_project_and_a_service_account(
    server: GeminiServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """google-auth signs a real assertion for the token; the server only gives one."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    account = {
        "type": "service_account",
        "project_id": "shop",
        "private_key_id": "1",
        "private_key": key.decode(),
        "client_email": "gate@shop.iam.gserviceaccount.com",
        "token_uri": f"{server.url}/token",
    }
    file = tmp_path / "account.json"
    file.write_text(json.dumps(account))
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(file))
    environ = {
        "GOOGLE_GENAI_USE_VERTEXAI": "1",
        "GOOGLE_CLOUD_PROJECT": "shop",
        "GOOGLE_CLOUD_LOCATION": "europe-west1",
        "GOOGLE_VERTEX_BASE_URL": server.url,
    }
    result = execute(server, environ=environ)
    assert result.output == ANSWER, result
    assert "/projects/shop/locations/europe-west1/publishers/google/models/gemini-x:" in server.asked[0].path
    assert server.asked[0].headers["authorization"] == "Bearer an-access-token"
    assert server.tokens == 1


@pytest.mark.parametrize(
    ("environ", "source", "base_url"),
    [
        ({"GEMINI_API_KEY": "a"}, "GEMINI_API_KEY", None),
        ({"GOOGLE_API_KEY": "a"}, "GOOGLE_API_KEY", None),
        ({"GEMINI_API_KEY": "a", "GOOGLE_API_KEY": "b"}, "GEMINI_API_KEY", None),
        ({"GEMINI_API_KEY": " ", "GOOGLE_API_KEY": "b"}, "GOOGLE_API_KEY", None),
        ({"GEMINI_API_KEY": "a", "GOOGLE_GEMINI_BASE_URL": "http://x"}, "GEMINI_API_KEY", "http://x"),
        ({"GEMINI_API_KEY": "a", "GOOGLE_GENAI_USE_VERTEXAI": "false"}, "GEMINI_API_KEY", None),
        (
            {"GOOGLE_GENAI_USE_VERTEXAI": "TRUE", "GOOGLE_CLOUD_PROJECT": "p", "GOOGLE_CLOUD_LOCATION": "l"},
            "GOOGLE_GENAI_USE_VERTEXAI, GOOGLE_CLOUD_PROJECT, GOOGLE_CLOUD_LOCATION",
            None,
        ),
        (
            {"GOOGLE_GENAI_USE_ENTERPRISE": "1", "GEMINI_API_KEY": "a"},
            "GOOGLE_GENAI_USE_ENTERPRISE, GEMINI_API_KEY",
            None,
        ),
    ],
)
def test_credentials_are_found_and_their_source_is_told(
    environ: dict[str, str], source: str, base_url: str | None
) -> None:
    found = read_settings(environ)
    assert (found.source, found.base_url) == (source, base_url)
    assert "'a'" not in repr(found)


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({}, "GEMINI_API_KEY or GOOGLE_API_KEY"),
        ({"GEMINI_API_KEY": ""}, "GEMINI_API_KEY or GOOGLE_API_KEY"),
        ({"GOOGLE_GENAI_USE_VERTEXAI": "1"}, "set GOOGLE_CLOUD_PROJECT"),
        ({"GOOGLE_GENAI_USE_VERTEXAI": "1", "GOOGLE_CLOUD_PROJECT": "p"}, "set GOOGLE_CLOUD_LOCATION"),
    ],
)
def test_without_credentials_nothing_is_sent_and_the_hint_says_what_to_set(
    server: GeminiServer, environ: dict[str, str], told: str
) -> None:
    with pytest.raises(NoCredentialsError) as caught:
        read_settings(environ)
    assert told in caught.value.hint
    result = execute(server, environ={**environ, "GOOGLE_GEMINI_BASE_URL": server.url})
    assert (result.error_code, result.error_hint) == ("missing_key", caught.value.hint)
    assert server.asked == []


# What it says of itself


def test_its_flags_are_declared() -> None:
    declared = describe_capabilities(create_engine(EngineServices({}, None, "/run", str, float)))
    assert {name for name, value in declared.items() if value is True} == {"json_output", "response_schema"}


def test_profiles_find_it_by_its_name() -> None:
    engine = find_engine("gemini-api", EngineServices({}, None, "/run", str, float))
    assert (engine.description.type, engine.description.name) == ("gemini_api", "gemini-api")
    assert "Don't use when" in engine.description.agent_configuration_doc


@pytest.mark.parametrize(
    ("environ", "status", "codes"),
    [
        ({}, "fail", ["library", "credentials", "model"]),
        ({"GEMINI_API_KEY": KEY}, "pass", ["library", "credentials", "model"]),
        ({"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:1"}, "warn",
         ["library", "credentials", "model", "base_url"]),
    ],
)  # fmt: skip
def test_its_environment_test_names_sources_and_no_secret(
    environ: dict[str, str], status: str, codes: list[str]
) -> None:
    checks = asyncio.run(GeminiApi(environ).test_environment({}))
    test = EnvironmentTest("gemini_api", checks, "2026-01-01T00:00:00Z")
    assert (test.status, [check.code for check in checks]) == (status, codes)
    assert KEY not in json.dumps(test.document())
