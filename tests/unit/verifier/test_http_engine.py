"""Servers of the chat API as engines. A local server speaks the API; the official client is driven against it, too."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Mapping
from typing import Any

import openai
import pytest
from chat_server import KEY, ChatServer, Hangup, Json, Raw, Reply, Says, Slow, Status, chat_server, completion
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from verigate.domain.engine import EngineServices, ExecutionContext, ExecutionResult, InvocationMeta, Usage
from verigate.domain.engine_request import EngineRequest
from verigate.domain.sent_request import NOT_SETTABLE
from verigate.verifier.http.builtin import SERVER, http
from verigate.verifier.http.chat import MalformedResponseError, ProviderStreamError, StreamReader, read_completion
from verigate.verifier.http.engine import HttpEngine
from verigate.verifier.http.transport import HttpRetries, read_retry_after

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
REQUEST = EngineRequest("T1", "the instruction", "the prompt", SCHEMA, seed=7, timeout_s=20)
QUICK = HttpRetries(attempts=4, first_delay_s=0.01, longest_delay_s=0.05)
GOOD = Says('{"a": "b"}')


def services(**environ: str) -> EngineServices:
    return EngineServices(environ, None, "/nowhere", lambda: "2026-01-02T03:04:05Z", time.monotonic)


class Heard:
    """What an execution reported."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.meta: list[InvocationMeta] = []

    async def on_log(self, _stream: str, chunk: str) -> None:
        self.log.append(chunk)

    async def on_meta(self, meta: InvocationMeta) -> None:
        self.meta.append(meta)


def execute(
    server: ChatServer | None,
    *,
    environ: Mapping[str, str] | None = None,
    request: EngineRequest = REQUEST,
    heard: Heard | None = None,
    **config: Any,
) -> ExecutionResult:
    heard = heard or Heard()
    config = ({} if server is None else {"base_url": server.url, "model": "tiny-1"}) | config
    config = {name: value for name, value in config.items() if value is not None}
    context = ExecutionContext("r1", config, request.context(), on_log=heard.on_log, on_meta=heard.on_meta)
    return asyncio.run(HttpEngine(SERVER, services(**(environ or {})), QUICK).execute(context))


# The server is the API's, by the official client.


@pytest.fixture
def client() -> Iterator[Any]:
    with chat_server(Says("Hello there.")) as server, openai.OpenAI(base_url=server.url, api_key=KEY) as made:
        yield made


ASKED: Any = {"model": "tiny-1", "messages": [{"role": "user", "content": "hi"}]}


def test_the_official_client_gets_an_answer_from_the_server(client: openai.OpenAI) -> None:
    found = client.chat.completions.create(**ASKED)
    assert found.usage is not None
    assert (found.choices[0].message.content, found.choices[0].finish_reason) == ("Hello there.", "stop")
    assert (found.usage.prompt_tokens, found.usage.completion_tokens) == (100, 20)
    assert [model.id for model in client.models.list()] == ["tiny-1"]


def test_the_official_client_gets_a_stream_from_the_server(client: openai.OpenAI) -> None:
    with client.chat.completions.create(**ASKED, stream=True, stream_options={"include_usage": True}) as chunks:
        found = list(chunks)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in found if chunk.choices) == "Hello there."
    assert found[-1].usage is not None
    assert found[-1].usage.total_tokens == 120


def test_the_official_client_parses_an_answer_that_is_held_to_a_schema() -> None:
    class Answer(BaseModel):
        a: str

    with chat_server(GOOD) as server, openai.OpenAI(base_url=server.url, api_key=KEY) as made:
        parsed = made.chat.completions.parse(**ASKED, response_format=Answer).choices[0].message.parsed
        theirs = server.asked[-1].body["response_format"]
        execute(server)
        ours = server.asked[-1].body["response_format"]
    assert parsed == Answer(a="b")
    assert (ours["type"], ours["json_schema"].keys()) == (theirs["type"], theirs["json_schema"].keys())
    assert ours["json_schema"]["strict"] is True


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Status(429, "slow down", "rate_limit_exceeded"), openai.RateLimitError),
        (Status(400, "no such member"), openai.BadRequestError),
        (Status(503, "loading model"), openai.InternalServerError),
        (Hangup(), openai.APIConnectionError),
    ],
    ids=["429", "400", "503", "hang up"],
)
def test_the_official_client_reads_the_server_s_errors(reply: Reply, error: type[Exception]) -> None:
    with (
        chat_server(reply) as server,
        openai.OpenAI(base_url=server.url, api_key=KEY, max_retries=0) as made,
        pytest.raises(error),
    ):
        made.chat.completions.create(**ASKED)


def test_the_official_client_is_refused_without_the_key() -> None:
    with (
        chat_server(GOOD, key=KEY) as server,
        openai.OpenAI(base_url=server.url, api_key="sk-another-key-0123") as made,
        pytest.raises(openai.AuthenticationError, match="Incorrect API key"),
    ):
        made.chat.completions.create(**ASKED)


# Our own client.


@pytest.mark.parametrize("stream", [False, True])
def test_a_server_answers(stream: bool) -> None:
    heard = Heard()
    with chat_server(GOOD, key=KEY) as server:
        result = execute(server, environ={"MY_KEY": KEY}, key_from="MY_KEY", stream=stream, heard=heard)
        (asked,) = server.asked
    assert not result.failed, result
    assert (result.output, result.usage, result.exit_code) == ('{"a": "b"}', Usage(100, 20), 0)
    assert (result.model, result.model_version) == ("tiny-1", "tiny-1-instruct")
    assert result.engine_version is not None
    assert result.engine_version.startswith("httpx2 ")
    assert asked.body["messages"] == [
        {"role": "system", "content": "the instruction"},
        {"role": "user", "content": "the prompt"},
    ]
    assert [asked.body[name] for name in ("model", "temperature", "seed", "max_tokens", "stream")] == [
        "tiny-1", 0.0, 7, 8192, stream,
    ]  # fmt: skip
    assert ("stream_options" in asked.body) is stream
    assert result.sent is not None
    assert (result.sent.temperature, result.sent.seed, result.sent.prompt) == (0.0, 7, "the prompt")
    told = [json.loads(line) for line in heard.log]
    assert "".join(line["text"] for line in told if line["type"] == "message") == '{"a": "b"}'
    assert told[-1] == {"type": "usage", "input": 100, "output": 20}
    assert [meta.notes for meta in heard.meta] == [("model tiny-1", "key from MY_KEY")]


FORMATS = {
    "json_schema": {"type": "json_schema"},
    "json_object": {"type": "json_object"},
    "text": None,
}


@pytest.mark.parametrize("wanted", FORMATS)
def test_an_answer_is_asked_for_in_the_format_that_the_server_knows(wanted: str) -> None:
    with chat_server(GOOD) as server:
        execute(server, response_format=wanted)
        sent = server.asked[0].body.get("response_format")
    expected = FORMATS[wanted]
    assert sent == expected if wanted != "json_schema" else sent["json_schema"]["schema"] == SCHEMA


def test_settings_are_members_of_the_body_and_what_the_gate_decides_stands() -> None:
    settings = {"seed": None, "max_tokens": None, "max_completion_tokens": 99, "top_k": 1, "model": "x", "messages": [],
                "tools": [{"type": "function"}], "n": 5, "stream": True, "response_format": {"type": "x"}}  # fmt: skip
    with chat_server(GOOD) as server:
        result = execute(server, settings=settings, response_format="text")
        body = server.asked[0].body
    assert {"seed", "max_tokens", "tools", "n", "response_format"}.isdisjoint(body)
    assert (body["model"], body["stream"], body["top_k"], body["max_completion_tokens"]) == ("tiny-1", False, 1, 99)
    assert len(body["messages"]) == 2
    assert result.sent is not None
    assert result.sent.seed == NOT_SETTABLE


def test_a_model_without_a_system_turn_gets_everything_in_one() -> None:
    with chat_server(GOOD) as server:
        result = execute(server, system_prompt=False)
        assert server.asked[0].body["messages"] == [{"role": "user", "content": "the instruction\nthe prompt"}]
    assert result.sent is not None
    assert (result.sent.prompt, result.sent.system_prompt) == ("the instruction\nthe prompt", None)


FAULTS: dict[str, tuple[Reply, str, str]] = {
    "400": (Status(400, "response_format is unknown"), "rejected_request", "response_format is unknown"),
    "401": (Status(401), "not_permitted", "HTTP 401"),
    "404": (Status(404, "model 'x' not found"), "model_not_found", "model 'x' not found"),
    "429": (Status(429, "slow down"), "rate_limited", "slow down"),
    "no quota": (Status(429, "pay", "insufficient_quota"), "rate_limited", "pay"),
    "500": (Status(500), "unavailable", "HTTP 500"),
    "an error of FastAPI": (Raw(b'{"detail": "too long"}', 422), "rejected_request", "too long"),
    "an error of Ollama": (Raw(b'{"error": "model is loading"}', 503), "unavailable", "model is loading"),
    "an error in text": (Raw(b"<html>bad gateway</html>", 502, "text/html"), "unavailable", "bad gateway"),
    "a redirect": (Raw(b"", 307, location="http://127.0.0.1:1/v1/x"), "rejected_request", "HTTP 307"),
    "no JSON": (Raw(b"{"), "malformed_response", "not JSON"),
    "a page": (Raw(b"<html></html>", kind="text/html"), "malformed_response", "not JSON"),
    "deep JSON": (Raw(b"[" * 100_000), "malformed_response", "not JSON"),
    "another document": (Json({"object": "list"}), "malformed_response", "no choices"),
    "no choice": (Json({"choices": []}), "malformed_response", "no choices"),
    "a choice without a message": (Json({"choices": [{"index": 0}]}), "malformed_response", "no message"),
    "cut off": (Says('{"a', "length"), "truncated", "cut off"),
    "no end": (Says('{"a": "b"}', None), "truncated", "without an end"),
    "a tool call": (Says("", "tool_calls"), "stopped_early", "TOOL_CALLS"),
    "filtered": (Says("", "content_filter"), "answer_blocked", "SAFETY"),
    "refused": (Says("", refusal="I can't help with that"), "answer_blocked", "I can't help with that"),
    "empty": (Says(" "), "empty_answer", "empty"),
    "a hang up": (Hangup(), "unreachable", "can't be reached"),
}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("case", FAULTS)
def test_what_goes_wrong_has_a_name_and_is_no_answer(case: str, stream: bool) -> None:
    reply, code, told = FAULTS[case]
    with chat_server(reply) as server:
        result = execute(server, stream=stream)
    assert result.failed, result
    if stream and code == "malformed_response":
        told = "no stream of events" if isinstance(reply, Raw) else "choices"
        if case in {"no choice", "a choice without a message"}:
            code, told = "truncated", "without an end"
    assert (result.error_code, told in (result.error_message or "")) == (code, True), result
    assert result.error_hint


STREAMS: dict[str, tuple[bytes, str, str]] = {
    "an error in it": (b'data: {"error": {"message": "out of memory"}}\n\n', "unavailable", "out of memory"),
    "no JSON": (b"data: {oops\n\n", "malformed_response", "not JSON"),
    "a line without an end": (b"data: " + b"x" * (2 << 20), "malformed_response", "longer than"),
    "nothing": (b"", "truncated", "without an end"),
    "comments alone": (b": keep-alive\n\n: keep-alive\n\n", "truncated", "without an end"),
    "half": (b'data: {"choices": [{"delta": {"content": "{"}}]}\n\n', "truncated", "without an end"),
}


@pytest.mark.parametrize("case", STREAMS)
def test_a_broken_stream_is_no_answer(case: str) -> None:
    content, code, told = STREAMS[case]
    with chat_server(Raw(content, kind="text/event-stream")) as server:
        result = execute(server, stream=True)
    assert (result.error_code, told in (result.error_message or "")) == (code, True), result


def test_a_stream_may_end_without_its_last_words() -> None:
    """Some servers leave out [DONE], or the blank line below the last event."""
    with chat_server(Says("one two", done=False)) as server:
        assert execute(server, stream=True).output == "one two"
    event = b'data: {"choices": [{"delta": {"content": "x"}, "finish_reason": "stop"}]}'
    with chat_server(Raw(b"event: message\r\nid: 1\r\n" + event, kind="text/event-stream")) as server:
        assert execute(server, stream=True).output == "x"


def test_a_response_without_an_end_in_size_is_not_read_to_it() -> None:
    with chat_server(Raw(b'{"a": "' + b"x" * (17 << 20))) as server:
        result = execute(server)
    assert result.error_message is not None
    assert "longer than 16 MiB" in result.error_message


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("reply", [Status(429), Status(503, "Loading model"), Hangup()], ids=["429", "503", "hang up"])
def test_what_passes_is_tried_again(reply: Reply, stream: bool) -> None:
    with chat_server(reply, reply, GOOD) as server:
        result = execute(server, stream=stream)
        assert (result.output, len(server.asked)) == ('{"a": "b"}', 3)


@pytest.mark.parametrize(
    ("reply", "tries"),
    [
        (Status(503), 4),
        (Status(401), 1),
        (Status(400), 1),
        (Status(429, "pay", "insufficient_quota"), 1),
        (Status(500, headers={"x-should-retry": "false"}), 1),
        (Raw(b"{"), 1),
    ],
    ids=["503", "401", "400", "no quota", "told not to", "malformed"],
)
def test_what_stays_is_not_tried_for_ever(reply: Reply, tries: int) -> None:
    with chat_server(reply) as server:
        assert execute(server).failed
        assert len(server.asked) == tries


def test_a_server_says_how_long_to_wait_and_a_wait_beyond_the_time_is_none() -> None:
    with chat_server(Status(429, headers={"Retry-After-Ms": "300"}), GOOD) as server:
        began = time.monotonic()
        assert not execute(server).failed
        # The pause that was asked for, though not more than the longest of this test.
        assert time.monotonic() - began >= 0.05
    with chat_server(Status(429, headers={"Retry-After": "3600"})) as server:
        began = time.monotonic()
        result = execute(server)
        assert (result.error_code, len(server.asked)) == ("rate_limited", 1)
        assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("headers", "wanted"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "2.5", "retry-after-ms": "700"}, 0.7),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({}, None),
    ],
)
def test_when_to_ask_again_is_read_in_both_forms(headers: dict[str, str], wanted: float | None) -> None:
    assert read_retry_after(headers) == wanted


@pytest.mark.parametrize("more", [{"timeout_s": 0.3}, {"silence_s": 0.3}, {"request": "short"}], ids=str)
@pytest.mark.parametrize("stream", [False, True])
def test_nobody_waits_longer_than_the_time(more: dict[str, Any], stream: bool) -> None:
    if "request" in more:
        more = {"request": EngineRequest("T1", "i", "p", timeout_s=0.3)}
    with chat_server(Slow(30, GOOD)) as server:
        began = time.monotonic()
        result = execute(server, stream=stream, **more)
        assert time.monotonic() - began < 5
    assert (result.error_code, result.timed_out) == ("timeout", True)


def test_a_cancelled_question_ends_at_once() -> None:
    async def ask(server: ChatServer) -> None:
        config = {"base_url": server.url, "model": "tiny-1"}
        engine = HttpEngine(SERVER, services(), QUICK)
        task = asyncio.create_task(engine.execute(ExecutionContext("r1", config, REQUEST.context())))
        await asyncio.to_thread(server.came.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with chat_server(Slow(30, GOOD)) as server:
        began = time.monotonic()
        asyncio.run(ask(server))
        assert time.monotonic() - began < 5


def test_no_server_is_an_error_with_a_hint() -> None:
    result = execute(None, base_url="http://127.0.0.1:9/v1", model="x")
    assert result.error_code == "unreachable"


# The model.


@pytest.mark.parametrize(
    ("models", "code", "chosen"),
    [
        (("only",), None, "only"),
        (("a", "b"), "no_model", None),
        ((), "no_model", None),
        (None, "model_not_found", None),
        (Raw(b"{}"), "malformed_response", None),
    ],
    ids=["one", "two", "none", "no list", "a list of another kind"],
)
def test_the_only_model_of_a_server_need_not_be_named(models: Any, code: str | None, chosen: str | None) -> None:
    with chat_server(GOOD, models=models) as server:
        result = execute(server, model=None)
        assert (result.error_code, result.model) == (code, chosen)
        assert [asked.body["model"] for asked in server.asked] == ([chosen] if chosen else [])


# Keys.


@pytest.mark.parametrize("stream", [False, True])
def test_a_key_that_is_repeated_gets_nowhere(stream: bool) -> None:
    """In a server's error, in a model's answer, in the log, in what is described of the invocation."""
    for reply in (Status(400, f"bad key {KEY}"), Says(f"the key is {KEY}", model=KEY), Raw(KEY.encode(), 403)):
        heard = Heard()
        with chat_server(reply) as server:
            result = execute(server, environ={"MY_KEY": KEY}, key_from="MY_KEY", stream=stream, heard=heard)
            assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
        assert KEY not in repr(result)
        assert KEY not in "".join(heard.log) + repr(heard.meta)


def test_no_key_is_sent_that_nobody_named() -> None:
    with chat_server(GOOD) as server:
        execute(server, environ={"OPENAI_API_KEY": KEY})
        assert "authorization" not in server.asked[0].headers


ADDRESSES: dict[str, tuple[dict[str, Any], str, str]] = {
    "none": ({}, "configuration", "no server is named"),
    "no address": ({"base_url": "localhost:80"}, "configuration", "no address"),
    "a file": ({"base_url": "file:///etc/passwd"}, "configuration", "no address"),
    "a password in it": ({"base_url": "http://u:p@127.0.0.1/v1"}, "configuration", "holds a credential"),
    "a query": ({"base_url": "http://127.0.0.1/v1?key=x"}, "configuration", "query"),
    "no such variable": ({"base_url": "http://127.0.0.1/v1", "key_from": "NO"}, "missing_key", "NO is not set"),
    "the key itself": ({"base_url": "https://a.b/v1", "key_from": KEY}, "configuration", "no name of a variable"),
    "two lines": ({"base_url": "https://a.b/v1", "key_from": "LINES"}, "missing_key", "can't be sent"),
    "a key in the clear": (
        {"base_url": "http://example.com/v1", "key_from": "MY_KEY"}, "configuration", "without encryption",
    ),
    "an unknown option": ({"base_ur": "x"}, "configuration", "no option 'base_ur'"),
    "a wrong type": ({"base_url": "http://127.0.0.1/v1", "stream": "yes"}, "configuration", "stream"),
}  # fmt: skip


@pytest.mark.parametrize("case", ADDRESSES)
def test_an_address_or_a_key_that_can_t_be_used_is_refused_before_anything_is_sent(case: str) -> None:
    config, code, told = ADDRESSES[case]
    environ = {"MY_KEY": KEY, "LINES": f"{KEY}\nX-Evil: 1"}
    result = execute(None, environ=environ, **config)
    assert (result.error_code, told in (result.error_message or "")) == (code, True), result
    assert KEY not in repr(result)
    checks = asyncio.run(HttpEngine(SERVER, services(**environ)).test_environment(config))
    assert [check.level.value for check in checks][-1] == "error", checks
    assert KEY not in repr(checks)


def test_a_description_s_key_goes_to_the_description_s_server_alone() -> None:
    """Who names another address in the options has to name the key for it, too."""
    import msgspec

    theirs = msgspec.structs.replace(SERVER, base_url="https://provider.example/v1", key_from="THEIR_KEY")
    engine = HttpEngine(theirs, services(THEIR_KEY=KEY), QUICK)
    with chat_server(GOOD) as server:
        context = ExecutionContext("r1", {"base_url": server.url, "model": "x"}, REQUEST.context())
        assert not asyncio.run(engine.execute(context)).failed
        assert "authorization" not in server.asked[0].headers


def test_a_server_on_this_machine_is_asked_without_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with chat_server(GOOD) as server:
        assert not execute(server).failed


# The environment test.

CHECKS: dict[str, tuple[Any, dict[str, Any], list[tuple[str, str]]]] = {
    "as it should be": (("tiny-1", "b"), {"model": "tiny-1"}, [("base_url", "info"), ("model", "info")]),
    "another model": (("b",), {"model": "tiny-1"}, [("base_url", "info"), ("model", "warn")]),
    "the only one": (("b",), {}, [("base_url", "info"), ("model", "info")]),
    "which?": (("a", "b"), {}, [("base_url", "info"), ("model", "error")]),
    "no list": (None, {"model": "tiny-1"}, [("base_url", "info"), ("model", "warn")]),
    "no list and no model": (None, {}, [("base_url", "info"), ("model_not_found", "error")]),
}


@pytest.mark.parametrize("case", CHECKS)
def test_the_environment_test_looks_at_the_server_and_asks_no_model(case: str) -> None:
    models, config, expected = CHECKS[case]
    with chat_server(GOOD, models=models) as server:
        checks = asyncio.run(http(services()).test_environment({"base_url": server.url, **config}))
        assert server.asked == []
        assert server.listed == 1
    assert [(check.code, check.level.value) for check in checks] == [
        ("library", "info"), ("credentials", "info"), *expected,
    ]  # fmt: skip


def test_the_environment_test_names_what_keeps_the_server_from_being_asked() -> None:
    with chat_server(GOOD, key=KEY) as server:
        config = {"base_url": server.url, "key_from": "MY_KEY"}
        checks = asyncio.run(http(services(MY_KEY="another-key-0123")).test_environment(config))
    assert (checks[-1].code, checks[-1].level.value) == ("not_permitted", "error")
    assert "another-key-0123" not in repr(checks)
    checks = asyncio.run(http(services()).test_environment({"base_url": "http://127.0.0.1:9/v1"}))
    assert (checks[-1].code, checks[-1].hint) == ("unreachable", "start the server at http://127.0.0.1:9/v1")


# Readers.

DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "message", "content", "usage", "prompt_tokens", "delta", "error", "text"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(DOCUMENTS)
def test_no_document_breaks_the_readers(document: Any) -> None:
    for read in (read_completion, StreamReader().read):
        try:
            read(document)
        except (MalformedResponseError, ProviderStreamError):
            continue


def test_parts_of_a_content_are_joined() -> None:
    document = completion(Says("x"))
    document["choices"][0]["message"]["content"] = [{"type": "text", "text": "a"}, {"type": "image"}, {"text": "b"}]
    assert read_completion(document).text == "ab"
