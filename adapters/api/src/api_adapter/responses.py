"""``api:responses``: each documented endpoint called with valid input, timed, and held against its schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct, to_builtins

from api_adapter.client import Answer
from api_adapter.document import base_document
from api_adapter.endpoints import ABSENT
from api_adapter.generated import Input
from api_adapter.operations import Operation, operations
from api_adapter.percentiles import percentile
from api_adapter.schemes import right
from api_adapter.validation import Validators, Violation, documented_for
from api_adapter.visit import Choice, Visit, choose, visit, write_meta
from api_adapter.wire import call_of
from verigate.sdk import Request, write_json

MAX_ERRORS = 500
"""Violations that are listed; ``errors_total`` counts all."""


MAX_FAILED = 3
"""After so many calls in a row without any answer an endpoint is left alone: each may take all its time."""


class _Called(Struct, frozen=True):
    """An endpoint with its answers, in the order of the calls; ``credentials``: whether any were sent."""

    operation: Operation
    answers: tuple[Answer, ...]
    credentials: bool


class _Judged(Struct):
    """What the answers of all endpoints came to."""

    violations: set[Violation]
    exercised: list[str]
    unexercised: list[dict[str, Any]]
    checked: int


def run(request: Request) -> None:
    """Write api/responses.json and api/schema.json."""
    with visit(request) as here:
        choice = choose(here)
        called = [_call(here, operation, given) for operation, given in choice.called]
        write_json(
            request.task_dir, "api/responses.json", {entry.operation.id: _facts(entry, here) for entry in called}
        )
        write_json(request.task_dir, "api/schema.json", _schema(here, choice, called))
        calls = sum(len(entry.answers) for entry in called)
        write_meta(here, "responses", {"calls": calls, "samples": here.settings.samples}, {})


def _call(here: Visit, operation: Operation, given: Sequence[Input]) -> _Called:
    credentials = right(operation, here.schemes, here.settings, here.request.environ)
    calls = [call_of(operation, entry, credentials or ()) for entry in given]
    answers: list[Answer] = []
    for index in range(max(here.settings.samples, len(calls))):
        answers.append(here.client.call(calls[index % len(calls)]))
        if all(answer.status is None for answer in answers[-MAX_FAILED:]) and len(answers) >= MAX_FAILED:
            break
    return _Called(operation, tuple(answers), bool(credentials))


def _facts(called: _Called, here: Visit) -> dict[str, Any]:
    outcomes = Counter(answer.outcome for answer in called.answers)
    ordered = sorted(answer.elapsed_ms for answer in called.answers if answer.status is not None)
    samples = [round(answer.elapsed_ms, 3) for answer in called.answers if answer.status is not None]
    first = next((answer for answer in called.answers if answer.status is not None), None)
    percentiles = (
        {f"p{percent}": round(percentile(ordered, percent), 3) for percent in (50, 95, 99)} if ordered else None
    )
    return {
        "status": _status(outcomes),
        "statuses": {str(outcome): count for outcome, count in sorted(outcomes.items(), key=lambda pair: str(pair[0]))},
        "calls": len(called.answers),
        "credentials": called.credentials,
        "latency_ms": percentiles["p50"] if percentiles else None,
        "latency_percentiles_ms": percentiles,
        "latency_samples_ms": samples,
        "body_sample": here.redaction.sample(first.body) if first is not None else None,
    }


def _status(outcomes: Counter[int | str]) -> int | str:
    """What stands for all: a failure of the service if there was any, else a success if there was any."""
    worst = [outcome for outcome in outcomes if isinstance(outcome, str) or outcome >= 500]
    good = [outcome for outcome in outcomes if isinstance(outcome, int) and outcome < 400]
    return max(worst or good or list(outcomes), key=lambda outcome: (outcomes[outcome], str(outcome)))


def _schema(here: Visit, choice: Choice, called: Sequence[_Called]) -> dict[str, Any]:
    judged = _judge(here, called)
    loosened, base_digest = _loosened(here, called, judged.violations)
    ordered = sorted(judged.violations)
    return {
        "ok": bool(judged.exercised) and judged.checked > 0 and not ordered and not loosened,
        "errors": [to_builtins(violation) for violation in ordered[:MAX_ERRORS]],
        "errors_total": len(ordered),
        "loosened": [to_builtins(violation) for violation in loosened[:MAX_ERRORS]],
        "schema_hash": here.document.digest if here.document else None,
        "base_schema_hash": base_digest,
        "document": here.document.place if here.document else None,
        "documented": len(here.operations),
        "called": len(called),
        "checked": judged.checked,
        "exercised": sorted(judged.exercised),
        "unexercised": sorted(judged.unexercised, key=lambda entry: entry["endpoint"]),
        "not_called": list(choice.not_called),
    }


def _judge(here: Visit, called: Sequence[_Called]) -> _Judged:
    judged = _Judged(set(), [], [], 0)
    validators = Validators(here.document) if here.document else None
    for entry in called:
        good = False
        for answer in entry.answers:
            if answer.status is None or validators is None:
                continue
            held = validators.hold(entry.operation, answer)
            judged.violations.update(held.violations)
            judged.checked += held.checked
            good = good or (held.documented and 200 <= answer.status < 400)
        judged.violations.update(_absent(entry))
        if good:
            judged.exercised.append(entry.operation.id)
        else:
            judged.unexercised.append(
                {"endpoint": entry.operation.id, "statuses": _outcomes(entry), "why": _why(entry)}
            )
    return judged


def _absent(called: _Called) -> list[Violation]:
    """A documented endpoint that isn't there: no parameter can be the reason, and the status isn't documented."""
    operation = called.operation
    if any(parameter.place == "path" for parameter in operation.parameters):
        return []
    return [
        Violation(operation.id, status, "", operation.at, "absent", f"the documented endpoint answers {status}")
        for status in sorted({answer.status or 0 for answer in called.answers} & ABSENT)
        if documented_for(operation, status) is None
    ]


def _outcomes(called: _Called) -> list[int | str]:
    return sorted({answer.outcome for answer in called.answers}, key=str)


def _why(called: _Called) -> str:
    outcomes = set(_outcomes(called))
    if outcomes <= {401, 403}:
        given = "with the given credentials" if called.credentials else "and no credentials are given"
        return f"refused {given}"
    if outcomes <= {404}:
        return "not found: the parameters' examples name nothing that is there"
    if outcomes <= {400, 422}:
        return "the generated input was refused"
    if all(isinstance(outcome, str) for outcome in outcomes):
        return "no answer"
    return "no successful answer"


def _loosened(here: Visit, called: Sequence[_Called], known: set[Violation]) -> tuple[list[Violation], str | None]:
    """Answers that fit the description only as this change wrote it: they violate what it said at the base."""
    if here.document is None or not here.settings.base_schema:
        return [], None
    base = base_document(here.request, here.settings)
    if base is None:
        return [], None
    if base.digest == here.document.digest:
        return [], base.digest
    before = {operation.id: operation for operation in operations(base, here.settings.base_path)}
    validators = Validators(base)
    found: set[Violation] = set()
    for entry in called:
        operation = before.get(entry.operation.id)
        for answer in entry.answers if operation is not None else ():
            if answer.status is not None and operation is not None:
                found.update(validators.hold(operation, answer).violations)
    same = {(violation.endpoint, violation.status, violation.pointer) for violation in known}
    return sorted(v for v in found if (v.endpoint, v.status, v.pointer) not in same and _loosens(v)), base.digest


def _loosens(violation: Violation) -> bool:
    """Whether this is less than was promised: a further field, or a further status that is no failure, is not."""
    if violation.keyword == "status":
        return violation.status >= 500
    return violation.keyword not in {"additionalProperties", "unevaluatedProperties"}
