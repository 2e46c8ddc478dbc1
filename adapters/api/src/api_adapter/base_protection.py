"""Compare the protection of endpoints with the description at the base: a change can drop a guard with its promise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from api_adapter.document import read_base_document
from api_adapter.operations import Operation, read_operations
from api_adapter.request_encoding import encode_call
from api_adapter.request_inputs import NotGeneratedError, generate_inputs
from api_adapter.session import Session, find_refusal


def find_base_protection(here: Session) -> dict[str, Operation]:
    """Return the endpoints that the description at the base protects, by id, without excluded ones.

    Empty if ``base_schema`` is off, or there is no such description.
    """
    base = read_base_document(here.request, here.settings) if here.settings.base_schema else None
    if base is None:
        return {}
    found = read_operations(base, here.settings.base_path)
    return {op.id: op for op in found if op.protected and op.id not in here.settings.exclude}


def probe_removed(here: Session, before: Mapping[str, Operation], violations: list[dict[str, Any]]) -> None:
    """Call the protected endpoints of the base that the description doesn't list any more, without credentials.

    One that still responds with success is added to ``violations``.
    """
    base = read_base_document(here.request, here.settings) if before else None
    listed = {operation.id for operation in here.operations}
    for id_, operation in sorted(before.items()):
        if base is None or id_ in listed or find_refusal(operation.method, id_, here.settings):
            continue
        try:
            given = generate_inputs(base, operation, here.settings)
        except NotGeneratedError:
            continue
        without = here.client.call(encode_call(operation, given[0])).outcome if given else None
        if is_success(without):
            violations.append({"endpoint": id_, "without": without, "protected_at": "base"})


def is_success(outcome: int | str | None) -> bool:
    """Whether an outcome is a status of success."""
    return isinstance(outcome, int) and 200 <= outcome < 300
