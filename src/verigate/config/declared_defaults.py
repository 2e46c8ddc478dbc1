"""Check the defaults that a manifest or a cap definition declares for its arguments.

Source: the third source document, validation: values inside JSON, so what is binary is base64.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verigate.domain.media import MediaSpecError, resolve
from verigate.domain.validation_rules import validation_schema
from verigate.errors import Fault

MAX_FAULTS = 50


def find_default_faults(document: Mapping[str, Any], file: str) -> tuple[Fault, ...]:
    """Find the defaults that don't fit the media spec or the ``validation`` of their argument.

    Expects a document that its schema accepts. A spec ID that doesn't resolve is reported where it is declared.
    """
    table = document.get("media_specs") or {}
    found: list[Fault] = []
    for item, place in _list_arguments(document):
        if item.get("default") is None:
            continue
        found += _find_faults(item, table, file, place)
        if len(found) >= MAX_FAULTS:
            break
    return tuple(found[:MAX_FAULTS])


def _list_arguments(document: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Yield (argument, its JSON pointer) of a manifest's capabilities, or of a cap definition."""
    for index, capability in enumerate(document.get("capabilities") or ()):
        if isinstance(capability, Mapping):
            for number, item in enumerate(capability.get("arguments") or ()):
                yield item, f"/capabilities/{index}/arguments/{number}"
    lists = document.get("arguments")
    if isinstance(lists, Mapping):
        for kind in ("required", "optional"):
            for number, item in enumerate(lists.get(kind) or ()):
                yield item, f"/arguments/{kind}/{number}"


def _find_faults(item: Mapping[str, Any], table: Mapping[str, Any], file: str, place: str) -> Iterator[Fault]:
    from verigate.config.validation import check_inside_json

    try:
        spec = resolve(item["media_spec"], table)
    except MediaSpecError:
        return
    for fault in check_inside_json(spec, item["default"], validation_schema(item)):
        message = f"the default of {item['name']!r} is not valid {item['media_spec']}: {fault.message}"
        yield Fault(message, file, f"{place}/default{fault.pointer or ''}", hint=fault.hint)
