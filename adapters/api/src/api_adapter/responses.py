"""``api:responses``: call each documented endpoint with valid input, time it, and validate its responses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from msgspec import Struct, to_builtins

from api_adapter.client import ApiResponse
from api_adapter.document import read_base_document
from api_adapter.endpoints import ABSENT
from api_adapter.operations import Operation, read_operations
from api_adapter.percentiles import compute_percentile
from api_adapter.request_encoding import encode_call
from api_adapter.request_inputs import Input
from api_adapter.schemes import choose_credentials
from api_adapter.session import Choice, Session, choose_endpoints, open_session, write_meta
from api_adapter.validation import Validators, Violation, find_documented
from verigate.sdk import Request, write_json

MAX_ERRORS = 500
"""Limit of listed violations; ``errors_total`` counts all."""


MAX_FAILED = 3
"""Stop calling an endpoint after so many calls in a row without a response, since each may take the full timeout."""


class _Called(Struct, frozen=True):
    """A called endpoint with its responses in call order; ``credentials`` is whether any were sent."""

    operation: Operation
    answers: tuple[ApiResponse, ...]
    credentials: bool


class _Validation(Struct):
    """Results of validating the responses of all endpoints."""

    violations: set[Violation]
    exercised: list[str]
    unexercised: list[dict[str, Any]]
    checked: int


def run(request: Request) -> None:
    """Write api/responses.json and api/schema.json."""
    with open_session(request) as here:
        choice = choose_endpoints(here)
        called = [_call(here, operation, given) for operation, given in choice.called]
        write_json(
            request.task_dir,
            "api/responses.json",
            {entry.operation.id: _describe_calls(entry, here) for entry in called},
        )
        write_json(request.task_dir, "api/schema.json", _describe_validation(here, choice, called))
        calls = sum(len(entry.answers) for entry in called)
        write_meta(here, "responses", {"calls": calls, "samples": here.settings.samples}, {})


def _call(here: Session, operation: Operation, given: Sequence[Input]) -> _Called:
    credentials = choose_credentials(operation, here.schemes, here.settings, here.request.environ)
    calls = [encode_call(operation, entry, credentials or ()) for entry in given]
    answers: list[ApiResponse] = []
    for index in range(max(here.settings.samples, len(calls))):
        answers.append(here.client.call(calls[index % len(calls)]))
        if all(answer.status is None for answer in answers[-MAX_FAILED:]) and len(answers) >= MAX_FAILED:
            break
    return _Called(operation, tuple(answers), bool(credentials))


def _describe_calls(called: _Called, here: Session) -> dict[str, Any]:
    outcomes = Counter(answer.outcome for answer in called.answers)
    ordered = sorted(answer.elapsed_ms for answer in called.answers if answer.status is not None)
    samples = [round(answer.elapsed_ms, 3) for answer in called.answers if answer.status is not None]
    first = next((answer for answer in called.answers if answer.status is not None), None)
    percentiles = (
        {f"p{percent}": round(compute_percentile(ordered, percent), 3) for percent in (50, 95, 99)} if ordered else None
    )
    return {
        "status": _summarise_status(outcomes),
        "statuses": {str(outcome): count for outcome, count in sorted(outcomes.items(), key=lambda pair: str(pair[0]))},
        "calls": len(called.answers),
        "credentials": called.credentials,
        "latency_ms": percentiles["p50"] if percentiles else None,
        "latency_percentiles_ms": percentiles,
        "latency_samples_ms": samples,
        "body_sample": here.redaction.sample(first.body) if first is not None else None,
    }


def _summarise_status(outcomes: Counter[int | str]) -> int | str:
    """Summarise all outcomes: the most frequent server failure if any, else success if any, else any outcome."""
    worst = [outcome for outcome in outcomes if isinstance(outcome, str) or outcome >= 500]
    good = [outcome for outcome in outcomes if isinstance(outcome, int) and outcome < 400]
    return max(worst or good or list(outcomes), key=lambda outcome: (outcomes[outcome], str(outcome)))


def _describe_validation(here: Session, choice: Choice, called: Sequence[_Called]) -> dict[str, Any]:
    validation = _validate(here, called)
    loosened, base_digest = _find_loosened(here, called, validation.violations)
    ordered = sorted(validation.violations)
    return {
        "ok": bool(validation.exercised) and validation.checked > 0 and not ordered and not loosened,
        "errors": [to_builtins(violation) for violation in ordered[:MAX_ERRORS]],
        "errors_total": len(ordered),
        "loosened": [to_builtins(violation) for violation in loosened[:MAX_ERRORS]],
        "schema_hash": here.document.digest if here.document else None,
        "base_schema_hash": base_digest,
        "document": here.document.place if here.document else None,
        "documented": len(here.operations),
        "called": len(called),
        "checked": validation.checked,
        "exercised": sorted(validation.exercised),
        "unexercised": sorted(validation.unexercised, key=lambda entry: entry["endpoint"]),
        "not_called": list(choice.not_called),
    }


def _validate(here: Session, called: Sequence[_Called]) -> _Validation:
    validation = _Validation(set(), [], [], 0)
    validators = Validators(here.document) if here.document else None
    for entry in called:
        good = False
        for answer in entry.answers:
            if answer.status is None or validators is None:
                continue
            held = validators.validate(entry.operation, answer)
            validation.violations.update(held.violations)
            validation.checked += held.checked
            good = good or (held.documented and 200 <= answer.status < 400)
        validation.violations.update(_find_absent(entry))
        if good:
            validation.exercised.append(entry.operation.id)
        else:
            validation.unexercised.append(
                {"endpoint": entry.operation.id, "statuses": _list_outcomes(entry), "why": _explain(entry)}
            )
    return validation


def _find_absent(called: _Called) -> list[Violation]:
    """Report a documented endpoint as missing if no parameter can be the reason and the status isn't documented."""
    operation = called.operation
    if any(parameter.place == "path" for parameter in operation.parameters):
        return []
    return [
        Violation(operation.id, status, "", operation.at, "absent", f"the documented endpoint answers {status}")
        for status in sorted({answer.status or 0 for answer in called.answers} & ABSENT)
        if find_documented(operation, status) is None
    ]


def _list_outcomes(called: _Called) -> list[int | str]:
    return sorted({answer.outcome for answer in called.answers}, key=str)


def _explain(called: _Called) -> str:
    outcomes = set(_list_outcomes(called))
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


def _find_loosened(
    here: Session, called: Sequence[_Called], known: set[Violation]
) -> tuple[list[Violation], str | None]:
    """Find responses that match the description only since this change: they violate that at the base."""
    if here.document is None or not here.settings.base_schema:
        return [], None
    base = read_base_document(here.request, here.settings)
    if base is None:
        return [], None
    if base.digest == here.document.digest:
        return [], base.digest
    before = {operation.id: operation for operation in read_operations(base, here.settings.base_path)}
    validators = Validators(base)
    found: set[Violation] = set()
    for entry in called:
        operation = before.get(entry.operation.id)
        for answer in entry.answers if operation is not None else ():
            if answer.status is not None and operation is not None:
                found.update(validators.validate(operation, answer).violations)
    same = {(violation.endpoint, violation.status, violation.pointer) for violation in known}
    return sorted(v for v in found if (v.endpoint, v.status, v.pointer) not in same and _is_loosening(v)), base.digest


def _is_loosening(violation: Violation) -> bool:
    """Whether the violation breaks a promise of the base; extra fields and extra statuses below 500 don't."""
    if violation.keyword == "status":
        return violation.status >= 500
    return violation.keyword not in {"additionalProperties", "unevaluatedProperties"}
