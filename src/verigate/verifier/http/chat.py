"""The chat API: the body of a request, and what a response or the chunks of a stream say.

https://platform.openai.com/docs/api-reference/chat. Servers of others leave members out or add some, so that every
member is read as if anybody had written it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from verigate.domain.engine import Usage
from verigate.domain.engine_request import EngineRequest
from verigate.verifier.http.server import AnswerFormat
from verigate.verifier.lifecycle.strict_schema import require_all_properties

_MOST_TOKENS = 1 << 53
_SCHEMA_NAME = "answer"


class MalformedResponseError(ValueError):
    """A response that isn't the API's. The message says what is wrong with it."""


class ProviderStreamError(Exception):
    """An error that a server reports in the middle of a stream."""


class ChatAnswer(Struct, frozen=True):
    """An answer. ``finish`` is why it ended, "" if nothing says it; ``refusal`` is the model's own."""

    text: str = ""
    finish: str = ""
    refusal: str = ""
    model: str | None = None
    usage: Usage | None = None


def build_base_layer(request: EngineRequest) -> dict[str, Any]:
    """Build the first layer of the body: sampling and length, which the user may change."""
    return {"temperature": request.temperature, "seed": request.seed, "max_tokens": request.max_output_tokens}


def build_own_layer(
    request: EngineRequest, model: str, wanted: AnswerFormat, *, stream: bool, system_prompt: bool
) -> dict[str, Any]:
    """Build the members that nobody but the gate decides: model, messages, format."""
    asked = {"role": "user", "content": request.prompt}
    if system_prompt:
        messages = [{"role": "system", "content": request.instruction}, asked]
    else:
        messages = [{**asked, "content": f"{request.instruction}\n{request.prompt}"}]
    own: dict[str, Any] = {"model": model, "messages": messages, "stream": stream}
    own["stream_options"] = {"include_usage": True} if stream else None
    if wanted == "json_schema" and request.response_schema:
        schema = require_all_properties(request.response_schema)
        described = {"name": _SCHEMA_NAME, "strict": True, "schema": schema}
        own["response_format"] = {"type": "json_schema", "json_schema": described}
    else:
        own["response_format"] = {"type": "json_object"} if wanted == "json_object" else None
    return own


def read_completion(document: Any) -> ChatAnswer:
    """Read a response. Raises MalformedResponseError."""
    choice = _read_choice(document)
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise MalformedResponseError("its choice holds no message")
    return ChatAnswer(
        _read_content(message.get("content")),
        _read_word(choice.get("finish_reason")),
        _read_word(message.get("refusal")),
        _read_word(document.get("model")) or None,
        read_usage(document.get("usage")),
    )


class StreamReader:
    """Reads the chunks of a stream one by one. ``answer`` is what they say together."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self.answer = ChatAnswer()

    def read(self, document: Any) -> str:
        """Read a chunk; return its text. Raises MalformedResponseError, ProviderStreamError."""
        if isinstance(document, Mapping) and document.get("error"):
            raise ProviderStreamError(read_error(document) or "it gives no reason")
        if not isinstance(document, Mapping) or not isinstance(document.get("choices"), list):
            raise MalformedResponseError("a chunk has no choices")
        # The last chunk of many servers has the usage and no choice.
        choice = _read_choice(document) if document["choices"] else {}
        delta = choice.get("delta")
        delta = delta if isinstance(delta, Mapping) else {}
        text = _read_content(delta.get("content"))
        self._texts.append(text)
        before = self.answer
        self.answer = ChatAnswer(
            "".join(self._texts) if text else before.text,
            _read_word(choice.get("finish_reason")) or before.finish,
            before.refusal + _read_word(delta.get("refusal")),
            _read_word(document.get("model")) or before.model,
            read_usage(document.get("usage")) or before.usage,
        )
        return text


def _read_choice(document: Any) -> Mapping[str, Any]:
    choices = document.get("choices") if isinstance(document, Mapping) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        raise MalformedResponseError("it has no choices")
    return choices[0]


def _read_content(content: Any) -> str:
    """Read a text, or the texts of an array of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    return "".join(part["text"] for part in parts if isinstance(part, Mapping) and isinstance(part.get("text"), str))


def _read_word(value: Any) -> str:
    return value[:500] if isinstance(value, str) else ""


def read_usage(counted: Any) -> Usage | None:
    """Read token counts; None if a server doesn't report them."""
    if not isinstance(counted, Mapping):
        return None
    counts = [counted.get(name) for name in ("prompt_tokens", "completion_tokens")]
    if not any(type(count) is int for count in counts):
        return None
    asked, answered = (count if type(count) is int and 0 <= count < _MOST_TOKENS else 0 for count in counts)
    return Usage(asked, answered)


def read_error(document: Any) -> str | None:
    """Read the message of an error: OpenAI's form, and those of vLLM, FastAPI and Ollama."""
    if not isinstance(document, Mapping):
        return None
    error = document.get("error", document)
    if isinstance(error, str):
        return error
    places = (error.get(name) for name in ("message", "detail")) if isinstance(error, Mapping) else ()
    found = next((place for place in places if place), None)
    return None if found is None else str(found)


def read_error_code(document: Any) -> str:
    """Read the code of an error, as in ``insufficient_quota``; "" if it has none."""
    error = document.get("error") if isinstance(document, Mapping) else None
    return _read_word(error.get("code")) if isinstance(error, Mapping) else ""


def read_models(document: Any) -> tuple[str, ...]:
    """Read the ids of a listing of models. Raises MalformedResponseError."""
    listed = document.get("data") if isinstance(document, Mapping) else None
    if not isinstance(listed, list):
        raise MalformedResponseError("it is no list of models")
    return tuple(item["id"] for item in listed if isinstance(item, Mapping) and isinstance(item.get("id"), str))
