"""``gemini-api``: one request, one answer. google-genai is imported on the first call."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from verigate.domain.engine import (
    CheckLevel,
    EngineCapabilities,
    EngineDescription,
    EngineModel,
    EngineServices,
    EnvironmentCheck,
    ExecutionContext,
    ExecutionResult,
    InvocationMeta,
    Usage,
)
from verigate.domain.engine_request import EngineRequest, read_request
from verigate.domain.sent_request import SentRequest
from verigate.extras import find_lack, lack_of
from verigate.verifier.gemini.settings import NoCredentialsError, Settings, read_settings
from verigate.verifier.program import LogRule
from verigate.verifier.provider_faults import NamedFault, from_exception, from_response, from_status

if TYPE_CHECKING:
    from google.genai.client import AsyncClient

_RETRIED = (408, 429, 500, 502, 503, 504)
_DOCUMENT = """\
# gemini-api

Use when: a key for the Gemini API or a project on Vertex AI is at hand; in CI, where no program is logged in.
Don't use when: the code must not leave the machine, or only a logged-in command-line program may use the model.

Environment: GEMINI_API_KEY or GOOGLE_API_KEY; for Vertex AI GOOGLE_GENAI_USE_VERTEXAI=true, GOOGLE_CLOUD_PROJECT
and GOOGLE_CLOUD_LOCATION. GOOGLE_GEMINI_BASE_URL or GOOGLE_VERTEX_BASE_URL name another server.
Configuration: model (a name), stream (true: the answer is logged as it comes).
"""


class Retries(Struct, frozen=True):
    """How often, and after how many seconds, a request is repeated after a rate limit or a server error."""

    attempts: int = 4
    first_delay_s: float = 1.0
    longest_delay_s: float = 20.0


LOG = (
    LogRule("message", {"/type": "message"}, text=("/text",), delta=True),
    LogRule("usage", {"/type": "usage"}, fields={"input_tokens": ("/input",), "output_tokens": ("/output",)}),
    LogRule("error", {"/type": "error"}, text=("/text",)),
)
"""How its run log is read: it has no output stream of its own, and writes a log of JSON lines."""


class GeminiApi:
    """The engine. ``environ`` holds the credentials."""

    log_rules = LOG

    description = EngineDescription(
        "gemini_api",
        "Gemini API",
        (EngineModel("gemini-2.5-flash", "Gemini 2.5 Flash"), EngineModel("gemini-2.5-pro", "Gemini 2.5 Pro")),
        _DOCUMENT,
    )
    capabilities = EngineCapabilities(json_output=True, response_schema=True)

    @property
    def options_schema(self) -> dict[str, Any]:
        """JSON Schema of its options. Others are left alone."""
        return {
            "type": "object",
            "properties": {"model": {"type": "string"}, "stream": {"type": "boolean", "default": False}},
        }

    def __init__(self, environ: Mapping[str, str], retries: Retries | None = None) -> None:
        self._environ = environ
        self._retries = retries or Retries()

    async def execute(self, ctx: ExecutionContext) -> ExecutionResult:
        """Ask once, with retries. Errors are in the result, by name."""
        model = str(ctx.config.get("model") or self.description.models[0].id)
        if (lack := find_lack("gemini")) is not None:
            return _to_failure(NamedFault("missing_library", lack.message, lack.command), model=model)
        try:
            settings = read_settings(self._environ)
        except NoCredentialsError as problem:
            return _to_failure(NamedFault("missing_key", str(problem), problem.hint), model=model)
        result = _redact(await self._request(ctx, read_request(ctx.context), settings, model), settings.api_key)
        if result.usage is not None:
            await _to_log_line(ctx, "usage", input=result.usage.input_tokens, output=result.usage.output_tokens)
        if result.error_code is not None:
            await _to_log_line(ctx, "error", text=f"{result.error_code}: {result.error_message}")
        return result

    async def _request(
        self, ctx: ExecutionContext, request: EngineRequest, settings: Settings, model: str
    ) -> ExecutionResult:
        from google.genai import errors

        sent = SentRequest(request.temperature, request.seed, request.prompt, request.instruction)
        known = {"model": model, "provider": settings.provider, "engine_version": _read_version(), "sent": sent}
        await ctx.on_meta(
            InvocationMeta(self.description.type, notes=(f"model {model}", f"key from {settings.source}"))
        )
        try:
            async with self._open_client(settings, request) as client:
                asked = {"model": model, "contents": request.prompt, "config": _build_config(request)}
                if ctx.config.get("stream") is True:
                    parts = [part async for part in await _log_line(client, asked, ctx)]
                else:
                    parts = [await client.models.generate_content(**asked)]
                    await _to_log_line(ctx, "message", text=_read_text(parts[0]))
        except errors.APIError as problem:
            return _to_failure(from_status(int(problem.code or 0), problem.message or problem.status), **known)
        except Exception as problem:
            # google-genai lets through what its transport, pydantic and json raise, and has no base class for it. What
            # has no name is a fault of this engine and goes on.
            named = from_exception(problem)
            if named is None:
                raise
            return _to_failure(named, **known, timed_out=named.code == "timeout")
        return _to_result(parts, known)

    @asynccontextmanager
    async def _open_client(self, settings: Settings, request: EngineRequest) -> AsyncIterator[AsyncClient]:
        """A client for one request. A redirect isn't followed: it would carry the key along."""
        import httpx2
        from google.genai import Client, types

        retries = types.HttpRetryOptions(
            attempts=self._retries.attempts,
            initial_delay=self._retries.first_delay_s,
            max_delay=self._retries.longest_delay_s,
            jitter=self._retries.first_delay_s / 4,
            http_status_codes=list(_RETRIED),
        )
        # Left to itself the library reads the certificates three times, and takes aiohttp where that is installed.
        trusted = httpx2.create_ssl_context()
        async with httpx2.AsyncClient(verify=trusted, follow_redirects=False, timeout=request.timeout_s) as transport:
            with httpx2.Client(verify=trusted) as unused:
                client = Client(
                    vertexai=settings.vertex,
                    api_key=settings.api_key,
                    project=settings.project,
                    location=settings.location,
                    http_options=types.HttpOptions(
                        base_url=settings.base_url,
                        httpx_client=unused,
                        httpx_async_client=transport,
                        timeout=max(1, int(request.timeout_s * 1000)),
                        retry_options=retries,
                    ),
                )
                yield client.aio

    async def test_environment(self, config: Mapping[str, Any]) -> tuple[EnvironmentCheck, ...]:
        """Check the library, its version, and the source of the key. Sends nothing."""
        found = _read_version()
        if found is None:
            lack = lack_of("gemini", ["google-genai"])
            library = EnvironmentCheck("library", CheckLevel.ERROR, lack.message, hint=lack.command)
        else:
            library = EnvironmentCheck("library", CheckLevel.INFO, f"{found} is installed")
        model = str(config.get("model") or self.description.models[0].id)
        named = EnvironmentCheck("model", CheckLevel.INFO, f"the model is {model}")
        try:
            settings = read_settings(self._environ)
        except NoCredentialsError as problem:
            return library, EnvironmentCheck("credentials", CheckLevel.ERROR, str(problem), hint=problem.hint), named
        key = EnvironmentCheck("credentials", CheckLevel.INFO, f"credentials come from {settings.source}")
        if settings.base_url is None:
            return library, key, named
        return library, key, named, EnvironmentCheck("base_url", CheckLevel.WARN, f"requests go to {settings.base_url}")


def create_engine(services: EngineServices) -> GeminiApi:
    """Create the engine."""
    return GeminiApi(services.environ)


def _build_config(request: EngineRequest) -> Any:
    from google.genai import types

    return types.GenerateContentConfig(
        system_instruction=request.instruction,
        temperature=request.temperature,
        seed=request.seed,
        candidate_count=1,
        max_output_tokens=request.max_output_tokens,
        response_mime_type="application/json",
        response_json_schema=dict(request.response_schema) or None,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )


async def _log_line(client: Any, asked: Mapping[str, Any], ctx: ExecutionContext) -> Any:
    stream = await client.models.generate_content_stream(**asked)

    async def parts() -> Any:
        async for part in stream:
            await _to_log_line(ctx, "message", text=_read_text(part))
            yield part

    return parts()


async def _to_log_line(ctx: ExecutionContext, kind: str, **fields: Any) -> None:
    """Format a line of the run log, which LOG reads."""
    await ctx.on_log("stdout", f"{json.dumps({'type': kind, **fields}, ensure_ascii=False)}\n")


def _to_result(parts: list[Any], known: Mapping[str, Any]) -> ExecutionResult:
    """Combine the parts of a response into one result: texts are joined, of other fields the last one is used."""
    candidates = [candidate for part in parts for candidate in part.candidates or []]
    finish = next((item.finish_reason for item in reversed(candidates) if item.finish_reason), None)
    feedback = [part.prompt_feedback.block_reason for part in parts if part.prompt_feedback]
    text = "".join(map(_read_text, parts))
    usage = next((_read_usage(part.usage_metadata) for part in reversed(parts) if part.usage_metadata), None)
    version_said = next((part.model_version for part in reversed(parts) if part.model_version), None)
    named = from_response(next(filter(None, feedback), None), finish, text, len(candidates))
    values = {**known, "usage": usage, "model_version": version_said, "output": text or None}
    return ExecutionResult(exit_code=0, **values) if named is None else _to_failure(named, **values)


def _read_text(part: Any) -> str:
    """Return the text of a response's first candidate, without its reasoning."""
    candidates = part.candidates or []
    content = candidates[0].content if candidates else None
    said = (content.parts or []) if content is not None else []
    return "".join(item.text for item in said if item.text and not item.thought)


def _read_usage(counted: Any) -> Usage:
    output = (counted.candidates_token_count or 0) + (counted.thoughts_token_count or 0)
    return Usage(max(0, counted.prompt_token_count or 0), max(0, output))


def _to_failure(named: NamedFault, **known: Any) -> ExecutionResult:
    return ExecutionResult(error_code=named.code, error_message=named.message, error_hint=named.hint, **known)


def _redact(result: ExecutionResult, key: str | None) -> ExecutionResult:
    """Remove the key from a result, in case a server or a library repeated it in a message."""
    if not key or result.error_message is None or key not in result.error_message:
        return result
    from msgspec.structs import replace

    return replace(result, error_message=result.error_message.replace(key, "<key>"))


@cache
def _read_version() -> str | None:
    try:
        return f"google-genai {version('google-genai')}"
    except PackageNotFoundError:
        return None
