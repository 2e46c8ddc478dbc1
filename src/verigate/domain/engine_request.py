"""The question to an engine: the ``context`` of an execution, the same for every engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct, field


class EngineRequest(Struct, frozen=True, rename="camel"):
    """One question to a model. ``context`` writes the JSON, ``read_request`` reads it.

    ``instruction`` is the gate's own text, for the system prompt; ``prompt`` contains the questions and, between
    fences, untrusted text. Without a system prompt the two are sent one after the other. ``response_schema`` is a JSON
    Schema of the answer; an engine without that flag relies on the prompt, which says the same. ``seed`` and
    ``temperature`` are used if the provider has them; the result says whether they were. ``timeout_s`` limits the whole
    execution with retries, and ``max_output_tokens`` the answer. ``attempt`` counts from 1.
    """

    task_id: str
    instruction: str
    prompt: str
    response_schema: Mapping[str, Any] = field(default_factory=dict)
    temperature: float = 0.0
    seed: int = 0
    timeout_s: float = 120.0
    max_output_tokens: int = 8192
    attempt: int = 1
    wake_reason: str = "inconclusive"

    def context(self) -> dict[str, Any]:
        """Return the request as ``ExecutionContext.context``."""
        made: dict[str, Any] = msgspec.to_builtins(self)
        return made


def read_request(context: Mapping[str, Any]) -> EngineRequest:
    """Read the request in an execution's ``context``. Raises msgspec.ValidationError if there is none."""
    return msgspec.convert(context, EngineRequest)
