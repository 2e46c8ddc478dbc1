"""A server as an engine: one request, one answer. httpx2 is imported on the first request."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.engine import (
    CheckLevel,
    EngineCapabilities,
    EngineDescription,
    EngineServices,
    EnvironmentCheck,
    ExecutionContext,
    ExecutionResult,
    InvocationMeta,
)
from verigate.domain.engine_request import EngineRequest, read_request
from verigate.domain.sent_request import NOT_SETTABLE, SentRequest
from verigate.errors import UsageError
from verigate.extras import find_lack
from verigate.verifier.enforced import read_shipped_enforced
from verigate.verifier.http.chat import (
    ChatAnswer,
    MalformedResponseError,
    ProviderStreamError,
    StreamReader,
    build_base_layer,
    build_own_layer,
    read_completion,
    read_models,
)
from verigate.verifier.http.server import (
    Address,
    AnswerFormat,
    HttpOptions,
    HttpServer,
    find_address,
    parse_http_options,
)
from verigate.verifier.lifecycle.layers import Layer, LayerName, MergedConfig, merge
from verigate.verifier.options_schema import make_options_schema
from verigate.verifier.program import LogRule
from verigate.verifier.provider_faults import NamedFault, from_exception, from_response, from_status

_ENDS = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}
"""``finish_reason`` -> the end as provider_faults names it; "" stays "", and others keep their names."""

_LISTING_S = 10.0
_MOST_NAMED = 8
LOG = (
    LogRule("message", {"/type": "message"}, text=("/text",), delta=True),
    LogRule("usage", {"/type": "usage"}, fields={"input_tokens": ("/input",), "output_tokens": ("/output",)}),
    LogRule("error", {"/type": "error"}, text=("/text",)),
)
"""How its run log is read: it has no output stream of its own, and writes a log of JSON lines."""


class _Asked(Struct, frozen=True):
    """What one execution goes by."""

    ctx: ExecutionContext
    request: EngineRequest
    options: HttpOptions
    address: Address
    deadline: float


class HttpEngine:
    """A server of the chat API as an engine."""

    log_rules = LOG

    def __init__(self, server: HttpServer, services: EngineServices, retries: Any = None) -> None:
        self._server = server
        self._services = services
        self._retries = retries

    @property
    def description(self) -> EngineDescription:
        """The engine's description."""
        return self._server.description

    @property
    def capabilities(self) -> EngineCapabilities:
        """The declared capabilities."""
        return self._server.capabilities

    @property
    def options_schema(self) -> dict[str, Any]:
        """JSON Schema of its options."""
        return make_options_schema(HttpOptions, leave=("source",))

    @property
    def config_path(self) -> str:
        """What its configuration is: nothing is written."""
        return "the body of its requests"

    def explain_config(self, config: Mapping[str, Any]) -> MergedConfig:
        """Resolve the members of a request's body that don't depend on the question. Raises UsageError."""
        options = parse_http_options(self._server, config)
        return merge(self._build_layers({}, options, {}))

    async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
        """Ask once, with retries. Errors are in the result, by name."""
        if (lack := find_lack("http")) is not None:
            return _to_failure(NamedFault("missing_library", lack.message, lack.command))
        request = read_request(ctx.context)
        try:
            options = parse_http_options(self._server, ctx.config)
            address = find_address(self._server, options, self._services.environ)
        except UsageError as problem:
            return _to_failure(_name_usage(problem))
        limit = request.timeout_s if options.timeout_s is None else min(request.timeout_s, options.timeout_s)
        asked = _Asked(_redacting(ctx, address.key), request, options, address, self._services.monotonic() + limit)
        result = _redact(await self._ask(asked), address.key)
        if result.usage is not None:
            await _log(asked.ctx, "usage", input=result.usage.input_tokens, output=result.usage.output_tokens)
        if result.error_code is not None:
            await _log(asked.ctx, "error", text=f"{result.error_code}: {result.error_message}")
        return result

    async def _ask(self, asked: _Asked) -> ExecutionResult:
        import asyncio

        known: dict[str, Any] = {"provider": self._server.provider, "engine_version": _read_version()}
        try:
            async with asyncio.timeout(max(0.001, asked.deadline - self._services.monotonic())):
                model = await self._choose_model(asked)
                if model is None:
                    return _to_failure(_NO_MODEL, **known)
                body = self._build_body(asked, model)
                known |= {"model": model, "sent": _describe_sent(asked, body)}
                await asked.ctx.on_meta(self._describe_invocation(asked, model))
                answer = await self._request(asked, body)
        except Exception as problem:  # raised again, unless it is one of the server's or the network's
            named = _name_problem(problem)
            if named is None:
                raise
            return _to_failure(named, **known, timed_out=named.code == "timeout")
        return _to_result(answer, known)

    async def _choose_model(self, asked: _Asked) -> str | None:
        """Return the model's name: as named, else the description's first, else the only one of the server."""
        named = asked.options.model or next((model.id for model in self._server.models), None)
        if named is not None:
            return named
        listed = read_models(await self._transport(asked.address, asked.deadline, asked.options).get_models())
        return listed[0] if len(listed) == 1 else None

    async def _request(self, asked: _Asked, body: Mapping[str, Any]) -> ChatAnswer:
        transport = self._transport(asked.address, asked.deadline, asked.options)
        if not asked.options.stream:
            answer = read_completion(await transport.complete(body))
            await _log(asked.ctx, "message", text=answer.text)
            return answer
        reader = StreamReader()
        async with aclosing(transport.stream(body)) as chunks:
            async for document in chunks:
                if text := reader.read(document):
                    await _log(asked.ctx, "message", text=text)
        return reader.answer

    def _transport(self, address: Address, deadline: float, options: HttpOptions) -> Any:
        from verigate.verifier.http.transport import ChatTransport

        return ChatTransport(
            address,
            deadline=deadline,
            monotonic=self._services.monotonic,
            silence_s=options.silence_s,
            retries=self._retries,
        )

    def _build_body(self, asked: _Asked, model: str) -> dict[str, Any]:
        options, request = asked.options, asked.request
        own = build_own_layer(
            request,
            model,
            self._choose_format(options),
            stream=options.stream,
            system_prompt=options.system_prompt,
        )
        return merge(self._build_layers(build_base_layer(request), options, own)).values

    def _build_layers(self, base: Mapping[str, Any], options: HttpOptions, own: Mapping[str, Any]) -> tuple[Layer, ...]:
        server = self._server
        enforced = {**server.enforced, **read_shipped_enforced("http"), **own}
        return (
            Layer(LayerName.BASE, server.type, {**base, **server.defaults}),
            Layer(LayerName.USER, options.source, options.settings),
            Layer(LayerName.ENFORCED, server.type, enforced),
        )

    def _choose_format(self, options: HttpOptions) -> AnswerFormat:
        if options.response_format is not None:
            return options.response_format
        able = self._server.capabilities
        return "json_schema" if able.response_schema else "json_object" if able.json_output else "text"

    def _describe_invocation(self, asked: _Asked, model: str) -> InvocationMeta:
        key = asked.address.key_from
        notes = (f"model {model}", "no key" if key is None else f"key from {key}")
        return InvocationMeta(self._server.type, f"POST {asked.address.base_url}/chat/completions", notes=notes)

    async def test_environment(self, config: Mapping[str, Any]) -> tuple[EnvironmentCheck, ...]:
        """Check library, options, address, key, and what models the server lists. Asks no model."""
        if (lack := find_lack("http")) is not None:
            return (EnvironmentCheck("library", CheckLevel.ERROR, lack.message, hint=lack.command),)
        library = EnvironmentCheck("library", CheckLevel.INFO, f"{_read_version()} is installed")
        try:
            options = parse_http_options(self._server, config)
            address = find_address(self._server, options, self._services.environ)
        except UsageError as problem:
            code = {"USAGE": "options", "MISSING_KEY": "credentials"}.get(problem.code, "base_url")
            return library, EnvironmentCheck(code, CheckLevel.ERROR, problem.message, problem.where, problem.hint)
        key = "no key is sent" if address.key_from is None else f"the key comes from {address.key_from}"
        checks = [library, EnvironmentCheck("credentials", CheckLevel.INFO, key)]
        checks.append(_check_place(address))
        redacted = await self._check_models(address, options)
        return (*checks, *(_redact_check(check, address.key) for check in redacted))

    async def _check_models(self, address: Address, options: HttpOptions) -> tuple[EnvironmentCheck, ...]:
        model = options.model or next((model.id for model in self._server.models), None)
        deadline = self._services.monotonic() + _LISTING_S
        try:
            listed = read_models(await self._transport(address, deadline, options).get_models())
        except Exception as problem:  # raised again, unless it is one of the server's or the network's
            named = _name_problem(problem)
            if named is None:
                raise
            return (_report_listing(named, address, model),)
        some = ", ".join(listed[:_MOST_NAMED]) or "none"
        if model is None and len(listed) != 1:
            return (EnvironmentCheck("model", CheckLevel.ERROR, _NO_MODEL.message, f"it lists {some}", _NO_MODEL.hint),)
        if model is not None and model not in listed:
            hint = "some servers take any name; else name one of these"
            return (EnvironmentCheck("model", CheckLevel.WARN, f"the server doesn't list {model}", some, hint),)
        return (EnvironmentCheck("model", CheckLevel.INFO, f"the model is {model or listed[0]}"),)


_NO_MODEL = NamedFault(
    "no_model", "no model is named, and the server doesn't have exactly one", "set model in the engine's options"
)


def _check_place(address: Address) -> EnvironmentCheck:
    message = f"requests go to {address.base_url}"
    if address.is_local or address.base_url.startswith("https:"):
        return EnvironmentCheck("base_url", CheckLevel.INFO, message)
    hint = "use https, or forward a port of this machine to the server"
    return EnvironmentCheck(
        "base_url", CheckLevel.WARN, f"{message} without encryption, the diff among them", None, hint
    )


def _report_listing(named: NamedFault, address: Address, model: str | None) -> EnvironmentCheck:
    """Report why the listing can't be read: an error, unless the server is there and a model is named."""
    if model is not None and named.code in {"model_not_found", "malformed_response"}:
        message = f"the server has no list of models; the model is {model}"
        return EnvironmentCheck("model", CheckLevel.WARN, message, named.message)
    hint = f"start the server at {address.base_url}" if named.code == "unreachable" else named.hint
    return EnvironmentCheck(named.code, CheckLevel.ERROR, named.message, hint=hint)


def _name_problem(problem: Exception) -> NamedFault | None:
    from verigate.verifier.http.transport import StatusError

    if isinstance(problem, StatusError):
        named = from_status(problem.status, problem.said)
        if problem.status == 400:
            hint = "look at the model's name, and set response_format or settings in the engine's options"
            return NamedFault(named.code, named.message, hint)
        return named
    if isinstance(problem, ProviderStreamError):
        return NamedFault("unavailable", f"the server broke off its answer: {problem}"[:400], "try again later")
    if isinstance(problem, MalformedResponseError):
        message = f"the response is not the API's: {problem}"[:400]
        return NamedFault("malformed_response", message, "look at base_url in the engine's options")
    return from_exception(problem)


def _name_usage(problem: UsageError) -> NamedFault:
    code = "configuration" if problem.code == "USAGE" else problem.code.lower()
    message = f"{problem.message} ({problem.where})" if problem.where else problem.message
    return NamedFault(code, message, problem.hint or "see docs/engines.md")


def _describe_sent(asked: _Asked, body: Mapping[str, Any]) -> SentRequest:
    """Describe what is sent, as the body has it: the user may have taken a sampling parameter out."""
    request = asked.request
    prompt, system_prompt = request.prompt, request.instruction or None
    if not asked.options.system_prompt:
        prompt, system_prompt = f"{request.instruction}\n{request.prompt}", None
    temperature, seed = (_read_number(body.get(name)) for name in ("temperature", "seed"))
    return SentRequest(temperature, seed, prompt=prompt, system_prompt=system_prompt)


def _read_number(value: Any) -> Any:
    return value if type(value) in {int, float} else NOT_SETTABLE


def _to_result(answer: ChatAnswer, known: Mapping[str, Any]) -> ExecutionResult:
    values = {**known, "usage": answer.usage, "model_version": answer.model, "output": answer.text or None}
    if answer.refusal:
        message = f"the model refused: {answer.refusal[:300]}"
        return _to_failure(
            NamedFault("answer_blocked", message, "settle the statement by a fact, or reword it"), **values
        )
    named = from_response(None, _ENDS.get(answer.finish, answer.finish), answer.text, candidates=1)
    return ExecutionResult(exit_code=0, **values) if named is None else _to_failure(named, **values)


def _to_failure(named: NamedFault, **known: Any) -> ExecutionResult:
    return ExecutionResult(error_code=named.code, error_message=named.message, error_hint=named.hint, **known)


async def _log(ctx: ExecutionContext, kind: str, **fields: Any) -> None:
    """Write a line of the run log, which LOG reads."""
    await ctx.on_log("stdout", f"{json.dumps({'type': kind, **fields}, ensure_ascii=False)}\n")


_SHORTEST_KEY = 8
"""Characters. Servers on this machine are given keys such as ``none``, which stand in many a text."""


def _cut_key(text: str, key: str | None) -> str:
    return text if key is None or len(key) < _SHORTEST_KEY else text.replace(key, "[redacted]")


def _redacting(ctx: ExecutionContext, key: str | None) -> ExecutionContext:
    async def on_log(stream: Any, chunk: str) -> None:
        await ctx.on_log(stream, _cut_key(chunk, key))

    return replace(ctx, on_log=on_log)


def _redact(result: ExecutionResult, key: str | None) -> ExecutionResult:
    """Remove the key from a result, in case a server repeated it in a message or a model in its answer."""
    texts = {name: getattr(result, name) for name in ("error_message", "output", "model_version")}
    return replace(result, **{name: _cut_key(text, key) for name, text in texts.items() if text is not None})


def _redact_check(check: EnvironmentCheck, key: str | None) -> EnvironmentCheck:
    detail = None if check.detail is None else _cut_key(check.detail, key)
    return replace(check, message=_cut_key(check.message, key), detail=detail)


def _read_version() -> str | None:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"httpx2 {version('httpx2')}"
    except PackageNotFoundError:
        return None
