"""Write and read the record of questions and answers: evidence with prompts, answers and their digests.

The verdict is always decided from the record as read, also in the run that writes it, so a replay can't differ.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from verigate.domain.engine import EngineOrigin, ExecutionResult, Usage
from verigate.domain.task_folder import VERIFIER_FOLDER, VERIFIER_RECORD
from verigate.domain.verification import ModelAnswer, Problem, Question, Verification
from verigate.formats.strict_json import LARGEST_INTEGER, StrictJsonError, loads
from verigate.verifier.answers import MAX_BYTES, UnreadableAnswerError, read_answers
from verigate.verifier.policy import VerifierPolicy
from verigate.verifier.prompt import INSTRUCTION
from verigate.verifier.sent import build_sent, describe_file, sanitize_sent

VERIFIER_RECORD_SCHEMA = "verigate:verifier-record.v1"
_SHIPS = EngineOrigin()
_ANSWER = {"output": "output", "resultJson": "result_json"}
_MAX_RESULT = 4 * MAX_BYTES
_LONGEST_WORD = 1000
"""Length limit of an engine's other texts: its model, its version, an error."""


class Call(Struct, frozen=True):
    """One call: its questions, the prompt as given to the engine, its mark, the result. ``attempt`` 2 is the repair.

    ``invocation`` is what was started, None if the engine doesn't say it.
    """

    questions: tuple[str, ...]
    mark: str
    attempt: int
    prompt: str
    result: ExecutionResult
    invocation: Mapping[str, Any] | None = None


def build_record(
    policy: VerifierPolicy,
    questions: Sequence[Question],
    calls: Sequence[Call],
    problem: Problem | None,
    *,
    engine: str,
    origin: EngineOrigin = _SHIPS,
    engine_set: Mapping[str, Any] | None = None,
) -> dict[str, bytes]:
    """Build the files of a task's ``verifier`` folder, by path: the record, and prompt and answer of each call."""
    files: dict[str, bytes] = {}
    entries = []
    for number, call in enumerate(calls, start=1):
        answer = f"{VERIFIER_FOLDER}/{number}.answer.json"
        sent, sent_files = build_sent(number, call.prompt, INSTRUCTION, call.result)
        files |= {path: content for path, content in sent_files.items() if path != VERIFIER_RECORD}
        # What was sent stands in the record, and its texts in files of their own.
        document = call.result.document()
        document.pop("sent")
        files[answer] = _encode(to_plain_json(document))
        entries.append(
            {
                "questions": list(call.questions),
                "mark": call.mark,
                "attempt": call.attempt,
                "invocation": call.invocation,
                **sent,
                "answer": describe_file(answer, files[answer]),
            }
        )
    record = {
        "schema": VERIFIER_RECORD_SCHEMA,
        "engine": engine,
        "engine_set": dict(engine_set or {}),
        "engine_origin": msgspec.to_builtins(origin),
        "policy": msgspec.to_builtins(policy),
        "questions": {question.id: question.statement for question in questions},
        "calls": entries,
        "problem": None if problem is None else msgspec.to_builtins(problem),
    }
    files[VERIFIER_RECORD] = _encode(to_plain_json(record))
    return files


def read_record(read: Callable[[str], bytes], texts: Callable[[str], str | None]) -> Verification:
    """Read the record and its answers. ``read`` returns the bytes of a file of the task's folder.

    ``texts`` returns the content of a cited text artifact. Raises ValueError or LookupError for an invalid record.
    """
    record = _parse_json(read(VERIFIER_RECORD))
    results = [
        msgspec.convert(_parse_json(_read_sealed(read, call["answer"])), ExecutionResult) for call in record["calls"]
    ]
    answers = tuple(
        answer
        for call, result in zip(record["calls"], results, strict=True)
        for answer in _list_answers(result, call["mark"])
        if answer.question in call["questions"]
    )
    policy = msgspec.convert(record["policy"], VerifierPolicy)
    origin = msgspec.convert(record["engine_origin"], EngineOrigin)
    cited = sorted({citation.artifact for answer in answers for citation in answer.citations})
    last = results[-1] if results else ExecutionResult()
    first: Mapping[str, Any] = record["calls"][0] if record["calls"] else {"seed": None, "temperature": None}
    usage = sum((result.usage for result in results if result.usage), Usage())
    return Verification(
        engine=record["engine"],
        engine_origin=origin.origin,
        engine_overrides=origin.overrides,
        engine_set=dict(record.get("engine_set", {})),
        model=last.model or policy.model,
        calls=len(results),
        statements=dict(record["questions"]),
        usage=usage,
        cost_usd=compute_cost(results, policy),
        model_version=last.model_version,
        engine_version=last.engine_version,
        provider=last.provider,
        seed=first["seed"],
        temperature=first["temperature"],
        answers=answers,
        problem=None if record["problem"] is None else msgspec.convert(record["problem"], Problem),
        texts={path: text for path in cited if (text := texts(path)) is not None},
    )


def find_problem(files: Mapping[str, bytes]) -> Problem | None:
    """Return why answers are missing in a record, None if none is."""
    found = _parse_json(files[VERIFIER_RECORD])["problem"]
    return None if found is None else msgspec.convert(found, Problem)


def compute_cost(results: Sequence[ExecutionResult], policy: VerifierPolicy) -> float | None:
    """Compute the cost of the calls in US dollars: as reported, else by the profile's prices; None if unknown."""
    costs = []
    for result in results:
        if result.cost_usd is not None:
            costs.append(result.cost_usd)
        elif policy.prices is not None and result.usage is not None:
            costs.append(policy.prices.compute_cost(result.usage))
        else:
            return None
    return round(math.fsum(costs), 9)


def _list_answers(result: ExecutionResult, mark: str) -> tuple[ModelAnswer, ...]:
    if result.failed:
        return ()
    try:
        return read_answers(result, mark)
    except UnreadableAnswerError:
        return ()


def sanitize_result(said: ExecutionResult) -> ExecutionResult:
    """Sanitize a result for the record: an engine may be third-party code, so its texts are shortened.

    An answer that is too long, or nested too deep, to be read again is dropped. Raises msgspec.ValidationError, or
    whatever an engine's own values raise.
    """
    document = to_plain_json(said.document())
    sent = document.pop("sent")
    known = {name: _keep_plain(value) for name, value in document.items() if name not in _ANSWER}
    result = msgspec.convert(known, ExecutionResult)
    kept = None if sent is None else sanitize_sent(sent)
    usage = result.usage and Usage(max(0, result.usage.input_tokens), max(0, result.usage.output_tokens))
    cost = result.cost_usd if result.cost_usd is not None and result.cost_usd >= 0 else None
    result = msgspec.structs.replace(result, usage=usage, cost_usd=cost)
    whole = msgspec.structs.replace(
        result, **{name: document[key] for key, name in _ANSWER.items() if document[key] is not None}
    )
    try:
        content = loads(_encode(whole.document()), max_bytes=_MAX_RESULT)
    except (StrictJsonError, TypeError) as problem:
        # orjson has no error class of its own for values that are nested too deep.
        result = msgspec.structs.replace(result, sent=kept)
        if result.failed:
            return result
        message = f"it is too long, or nested too deep: {problem}"[:_LONGEST_WORD]
        hint = "see what the engine prints, with gate verify --watch"
        return msgspec.structs.replace(
            result, error_code="unreadable_answer", error_message=message, error_hint=hint, session_params=None
        )
    return msgspec.structs.replace(msgspec.convert(content, ExecutionResult), sent=kept)


def _keep_plain(value: Any) -> Any:
    return value[:_LONGEST_WORD] if isinstance(value, str) else value


def to_plain_json(value: Any) -> Any:
    """Convert a value to strict JSON: no lone surrogates, no infinite or huge numbers, other types as strings.

    A shortened string ends with a mark, so that it is never valid JSON.
    """
    if isinstance(value, Mapping):
        return {_plain_text(str(key)): to_plain_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain_json(item) for item in value]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return _plain_number(value)
    return _plain_text(str(value))


def _plain_number(value: float) -> float | None:
    if isinstance(value, int):
        return max(-LARGEST_INTEGER, min(LARGEST_INTEGER, value))
    return value if math.isfinite(value) else None


def _plain_text(value: str) -> str:
    value = value if len(value) <= MAX_BYTES else f"{value[:MAX_BYTES]}… (cut)"
    return value.encode("utf-8", "replace").decode("utf-8")


def _read_sealed(read: Callable[[str], bytes], entry: Mapping[str, str]) -> bytes:
    content = read(entry["path"])
    if describe_file(entry["path"], content)["sha256"] != entry["sha256"]:
        raise ValueError(f"{entry['path']} is not the answer that was recorded")
    return content


def _parse_json(content: bytes) -> Any:
    try:
        return loads(content)
    except StrictJsonError as problem:
        raise ValueError(f"it is not strict JSON: {problem}") from problem


def _encode(document: Any) -> bytes:
    import orjson

    return orjson.dumps(document, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
