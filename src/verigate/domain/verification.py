"""Questions to a verifier and its answers: facts of source ``verifier``, the weakest there are.

A model's answer is a claim like any other. It counts only for a statement that no fact decides, and only if each of its
citations is found in the sealed evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from verigate.domain.engine import Origin, Usage


class Word(StrEnum):
    """A verifier's answer about a statement."""

    SUPPORTED = "supported"
    REFUTED = "refuted"
    ABSTAIN = "abstain"


class Question(Struct, frozen=True):
    """An open statement. ``id`` is the gate's own (``q1``); ``statement`` and ``text`` are the claim's."""

    id: str
    statement: str
    text: str


class Citation(Struct, frozen=True):
    """A place in the evidence and its content.

    Either a JSON ``pointer`` into a JSON artifact, or a span of lines, counted from 1 and both included: of a text
    artifact, or with ``file`` of that file's new version as a patch shows it. ``quoted`` is the JSON value (a string
    may stand without its quotes) or the lines, joined with line feeds.
    """

    artifact: str
    quoted: str
    pointer: str | None = None
    file: str | None = None
    first_line: int | None = None
    last_line: int | None = None


class ModelAnswer(Struct, frozen=True):
    """The model's answer to one question. ``why`` is its explanation, for people, and decides nothing."""

    question: str
    word: Word
    citations: tuple[Citation, ...] = ()
    why: str = ""


class Problem(Struct, frozen=True):
    """Why answers are missing: a code (``rate_limited``), a sentence, what to try."""

    code: str
    message: str
    hint: str | None = None

    def __str__(self) -> str:
        return f"{self.code}: {self.message}" + (f" ({self.hint})" if self.hint else "")


class Verification(Struct, frozen=True):
    """Result of asking a verifier. ``engine`` is its name; ``model`` the requested model, ``model_version`` the actual.

    ``seed`` and ``temperature`` are those that were sent, else words (``not settable``); None if nothing was sent.
    ``engine_origin`` is its source, ``engine_overrides`` the sources of other engines of that name.
    ``engine_set`` are the engine's options that were set for this run alone, by key.

    ``statements`` maps question ids to the claim's statement ids. ``answers`` are those that could be read.
    ``texts`` holds the content of the text artifacts that they cite, by path. ``cost_usd`` is None where nobody knows.
    """

    engine: str
    model: str | None
    calls: int
    statements: Mapping[str, str]
    usage: Usage = Usage()
    cost_usd: float | None = None
    model_version: str | None = None
    engine_version: str | None = None
    engine_origin: Origin = "built-in"
    engine_overrides: tuple[Origin, ...] = ()
    engine_set: Mapping[str, Any] = field(default_factory=dict)
    provider: str | None = None
    seed: int | str | None = None
    temperature: float | str | None = None
    answers: tuple[ModelAnswer, ...] = ()
    problem: Problem | None = None
    texts: Mapping[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """Return the result as it appears in the verdict."""
        problem = self.problem
        return {
            "engine": self.engine,
            "engine_version": self.engine_version,
            "engine_origin": self.engine_origin,
            "engine_overrides": list(self.engine_overrides),
            **({"engine_set": dict(self.engine_set)} if self.engine_set else {}),
            "provider": self.provider,
            "model": self.model,
            "model_version": self.model_version,
            "seed": self.seed,
            "temperature": self.temperature,
            "calls": self.calls,
            "usage": {"inputTokens": self.usage.input_tokens, "outputTokens": self.usage.output_tokens},
            "cost_usd": self.cost_usd,
            "problem": None
            if problem is None
            else {"code": problem.code, "message": problem.message, "hint": problem.hint},
        }
