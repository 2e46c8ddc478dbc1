"""Strict parser of a model's answer. Anything but the agreed document is no answer."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from verigate.domain.engine import ExecutionResult
from verigate.domain.verification import Citation, ModelAnswer, Word
from verigate.formats.strict_json import StrictJsonError, loads

MAX_BYTES = 1024 * 1024
_MAX_ANSWERS = 1000


class UnreadableAnswerError(Exception):
    """An answer that isn't the agreed document; the message says what is wrong, in the parser's words."""


class _Citation(Struct, frozen=True, forbid_unknown_fields=True):
    artifact: str
    quoted: str
    pointer: str | None = None
    file: str | None = None
    first_line: int | None = None
    last_line: int | None = None


class _Answer(Struct, frozen=True, forbid_unknown_fields=True):
    question: str
    answer: Word
    citations: list[_Citation]
    why: str = ""


class _Document(Struct, frozen=True, forbid_unknown_fields=True):
    mark: str
    answers: list[_Answer]


def read_answers(result: ExecutionResult, mark: str) -> tuple[ModelAnswer, ...]:
    """Read the answers in a result: from what its engine parsed, else from its output. Raises UnreadableAnswerError.

    An answer must contain the prompt's ``mark``. An answer planted in the evidence for a model to copy can't: its
    author would have to know the digest of a text that contains that digest.
    """
    document = _parse_document(result)
    try:
        said = msgspec.convert(document, _Document)
    except msgspec.ValidationError as problem:
        raise UnreadableAnswerError(f"it is not the agreed document: {problem}") from problem
    if said.mark != mark:
        raise UnreadableAnswerError("it doesn't carry the mark of this prompt, as a copied answer doesn't")
    if len(said.answers) > _MAX_ANSWERS:
        raise UnreadableAnswerError(f"it has more than {_MAX_ANSWERS} answers")
    return tuple(
        ModelAnswer(item.question, item.answer, tuple(map(_to_citation, item.citations)), item.why)
        for item in said.answers
    )


def _parse_document(result: ExecutionResult) -> Any:
    if result.result_json is not None:
        return dict(result.result_json)
    if result.output is None or not result.output.strip():
        raise UnreadableAnswerError("it is empty")
    try:
        return loads(result.output.strip().encode("utf-8"), max_bytes=MAX_BYTES)
    except (StrictJsonError, UnicodeEncodeError) as problem:
        raise UnreadableAnswerError(f"it is not strict JSON: {problem}") from problem


def _to_citation(said: _Citation) -> Citation:
    # A model that must write every member leaves the unused ones empty.
    first, last = said.first_line or None, said.last_line or None
    pointer = None if (first or last) and not said.pointer else said.pointer
    return Citation(said.artifact, said.quoted, pointer, said.file or None, first, last)
