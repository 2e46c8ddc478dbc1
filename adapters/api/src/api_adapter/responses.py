"""``api:responses``: call each documented endpoint with valid input, time it, and validate its responses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, to_builtins

from api_adapter.body_coverage import Coverage
from api_adapter.document import read_base_document
from api_adapter.endpoints import ABSENT
from api_adapter.operations import read_operations
from api_adapter.percentiles import compute_percentile
from api_adapter.rounds import Called, call_endpoints
from api_adapter.session import Choice, Session, choose_endpoints, open_session, write_meta
from api_adapter.settings import WRITING_METHODS
from api_adapter.validation import MAX_TEXT, Validators, Violation, find_documented
from verigate.sdk import Request, clean_text, write_json

MAX_ERRORS = 500
"""Limit of listed violations; ``errors_total`` counts all."""


class _Validation(Struct):
    """Results of validating the responses of all endpoints."""

    violations: set[Violation]
    exercised: list[str]
    unexercised: list[dict[str, Any]]
    refused: list[dict[str, Any]]
    checked: int
    coverage: Mapping[str, Coverage]


def run(request: Request) -> None:
    """Write api/responses.json and api/schema.json."""
    with open_session(request) as here:
        choice = choose_endpoints(here)
        called = call_endpoints(here, choice)
        write_json(
            request.task_dir,
            "api/responses.json",
            {entry.operation.id: _describe_calls(entry, here) for entry in called},
        )
        write_json(request.task_dir, "api/schema.json", _describe_validation(here, choice, called))
        calls = sum(len(entry.answers) for entry in called)
        facts = {"samples": here.settings.samples, "rounds": here.settings.rounds}
        write_meta(here, "responses", {"calls": calls, **facts}, {})


def _describe_calls(called: Called, here: Session) -> dict[str, Any]:
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


def _describe_validation(here: Session, choice: Choice, called: Sequence[Called]) -> dict[str, Any]:
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
        "empty": _list_places(
            (id_, at) for id_, found in validation.coverage.items() for at, had in found.lists.items() if not had
        ),
        "additional": _list_places((id_, at) for id_, found in validation.coverage.items() for at in found.additional),
        "refused": sorted(validation.refused, key=lambda entry: entry["endpoint"]),
        "not_called": list(choice.not_called),
    }


def _list_places(places: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    """List places in bodies; names that the service chose are cleaned and cut off."""
    found = sorted({(id_, clean_text(at, MAX_TEXT)) for id_, at in places})
    return [{"endpoint": id_, "pointer": at} for id_, at in found[:MAX_ERRORS]]


def _validate(here: Session, called: Sequence[Called]) -> _Validation:
    validators = Validators(here.document) if here.document else None
    validation = _Validation(set(), [], [], [], 0, validators.coverage if validators else {})
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
            fact = {"endpoint": entry.operation.id, "statuses": entry.outcomes, "why": _explain(entry)}
            by_default = here.settings.methods is None and entry.operation.method in WRITING_METHODS
            (validation.refused if by_default and entry.is_refused else validation.unexercised).append(fact)
    return validation


def _find_absent(called: Called) -> list[Violation]:
    """Report a documented endpoint as missing if no parameter can be the reason and the status isn't documented."""
    operation = called.operation
    if any(parameter.place == "path" for parameter in operation.parameters):
        return []
    # A body may name something that isn't there.
    absent = ABSENT if operation.body is None else ABSENT - {404}
    return [
        Violation(operation.id, status, "", operation.at, "absent", f"the documented endpoint answers {status}")
        for status in sorted({answer.status or 0 for answer in called.answers} & absent)
        if find_documented(operation, status) is None
    ]


def _explain(called: Called) -> str:
    outcomes = set(called.outcomes)
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
    here: Session, called: Sequence[Called], known: set[Violation]
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
