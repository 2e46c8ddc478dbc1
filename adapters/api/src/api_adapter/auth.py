"""``api:auth``: call endpoints without credentials, with wrong ones, and with valid ones."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from api_adapter.base_protection import find_base_protection, is_success, probe_removed
from api_adapter.operations import Operation
from api_adapter.request_encoding import encode_call
from api_adapter.request_inputs import Input
from api_adapter.schemes import choose_credentials
from api_adapter.session import Session, choose_endpoints, list_ids, open_session, write_meta
from verigate.sdk import Request, write_json

REFUSED = frozenset({401, 403})
"""Statuses for missing or insufficient credentials. Source: RFC 9110, 15.5."""


class _Facts(Struct):
    protected: list[str] = field(default_factory=list)
    public: list[str] = field(default_factory=list)
    undecided: list[dict[str, Any]] = field(default_factory=list)
    rejected: list[dict[str, Any]] = field(default_factory=list)
    violations: list[dict[str, Any]] = field(default_factory=list)
    probes: dict[str, Any] = field(default_factory=dict)


def run(request: Request) -> None:
    """Write api/auth.json."""
    with open_session(request) as here:
        choice = choose_endpoints(here, 1)
        before = find_base_protection(here)
        facts = _Facts()
        for operation, given in choice.called:
            _probe(here, operation, given[0], facts, before.get(operation.id))
        probe_removed(here, before, facts.violations)
        given_names = {
            name for name, variable in here.settings.credentials.items() if request.environ.get(variable)
        } & here.schemes.keys()
        write_json(
            request.task_dir,
            "api/auth.json",
            {
                "methods": [scheme.as_fact() for scheme in here.schemes.values()],
                "endpoints_protected": sorted(facts.protected),
                "endpoints_public": sorted(facts.public),
                "documented_protected": list_ids(
                    [
                        op
                        for op in here.operations
                        if (op.protected or op.id in before) and op.id not in here.settings.exclude
                    ]
                ),
                "protected_at_base": sorted(before),
                "undecided": facts.undecided,
                "rejected": facts.rejected,
                "violations": facts.violations,
                "not_probed": _list_unprobed(here, choice.not_called, frozenset(before)),
                "credentials": {name: name in given_names for name in here.schemes},
                "probes": facts.probes,
            },
        )
        write_meta(here, "auth", {"probed": len(choice.called)}, {})


def _probe(here: Session, operation: Operation, given: Input, facts: _Facts, before: Operation | None) -> None:
    without = here.client.call(encode_call(operation, given)).outcome
    probes: dict[str, Any] = {"without": without, "wrong": {}, "right": None}
    facts.probes[operation.id] = probes
    accepted = None
    if operation.protected:
        probes["wrong"] = _try_wrong_credentials(here, operation, given)
        credentials = choose_credentials(operation, here.schemes, here.settings, here.request.environ)
        if credentials:
            accepted = probes["right"] = here.client.call(encode_call(operation, given, credentials)).outcome
            if accepted in REFUSED:
                facts.rejected.append({"endpoint": operation.id, "right": accepted})
    if without in REFUSED or (without == 404 and is_success(accepted)):
        facts.protected.append(operation.id)
    elif is_success(without):
        facts.public.append(operation.id)
        if operation.protected or before is not None:
            at_base = {} if operation.protected else {"protected_at": "base"}
            facts.violations.append({"endpoint": operation.id, "without": without, **at_base})
    else:
        facts.undecided.append({"endpoint": operation.id, "without": without})
    for name, outcome in probes["wrong"].items():
        if is_success(outcome) and not is_success(without):
            facts.violations.append({"endpoint": operation.id, "scheme": name, "wrong": outcome})


def _try_wrong_credentials(here: Session, operation: Operation, given: Input) -> dict[str, int | str]:
    """Map each usable scheme of the endpoint to the outcome of a call with an invalid credential."""
    named = sorted({name for alternative in operation.security for name in alternative})
    return {
        name: here.client.call(encode_call(operation, given, (here.schemes[name].wrong(),))).outcome
        for name in named
        if name in here.schemes and here.schemes[name].usable
    }


def _list_unprobed(here: Session, left: tuple[dict[str, str], ...], before: frozenset[str]) -> list[dict[str, str]]:
    """List the endpoints that are documented as protected, or were at the base, but not called."""
    protected = {operation.id for operation in here.operations if operation.protected} | before
    return [entry for entry in left if entry["endpoint"] in protected]
