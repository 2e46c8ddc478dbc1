"""Unknown keys of a manifest. They are accepted with a warning: a stranger's manifest may have keys of its own.

Inside of the document only those are reported that are similar to a known one, since such a slip has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from verigate.discovery.declaration_checks import MAX_FAULTS
from verigate.errors import Fault
from verigate.formats import pointer

KNOWN_KEYS: Mapping[str, frozenset[str]] = {
    "": frozenset(
        {"$schema", "schema", "name", "version", "description", "entry", "capabilities", "sandbox", "author", "license"}
        | {"requires", "deterministic", "outputs", "metadata", "media_specs", "config", "doctor", "homepage"}
        | {"keywords", "repository"}
    ),
    "sandbox": frozenset({"tools", "timeout", "timeout_ms", "network", "memory_mb", "filesystem"}),
    "config": frozenset({"defaults", "schema"}),
    "capability": frozenset(
        {"name", "description", "urn", "triggers", "needs", "sees", "reads", "inputs", "arguments", "outputs"}
        | {"destructive", "flags"}
    ),
    "argument": frozenset(
        {"name", "media_spec", "required", "cli_flag", "position", "default", "description", "validation"}
    ),
    "output": frozenset({"path", "media_spec", "volatile", "validation"}),
}
"""The keys of the document and of the objects in it, as the schema of manifests has them."""


def list_key_warnings(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Warn of unknown keys, with their place and the nearest known name."""
    known = KNOWN_KEYS[""]
    unknown = [] if known.issuperset(document) else sorted(document.keys() - known)[:MAX_FAULTS]
    top = [str(Fault(f"unknown key {key!r}", hint=_suggest(key, "")).brief()) for key in unknown]
    return (*top, *map(str, _find_slips(document)))


def _find_slips(document: Mapping[str, Any]) -> Iterator[Fault]:
    """Find unknown keys inside of the document that are similar to a known one."""
    unknown = (
        (kind, place, key)
        for kind, place, value in _list_objects(document)
        if not KNOWN_KEYS[kind].issuperset(value)
        for key in sorted(value.keys() - KNOWN_KEYS[kind])
    )
    for kind, place, key in islice(unknown, MAX_FAULTS):
        if (hint := _suggest(key, kind)) is not None:
            yield Fault(f"unknown key {key!r}", pointer=pointer.join(*place, key), hint=hint).brief()


def _list_objects(document: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str | int, ...], Mapping[str, Any]]]:
    """List the objects whose keys are known: their kind, place and value."""
    for kind in ("sandbox", "config"):
        if value := document.get(kind):
            yield kind, (kind,), value
    for index, item in enumerate(document["capabilities"]):
        if isinstance(item, str):
            continue
        yield "capability", ("capabilities", index), item
        for name in ("argument", "output"):
            for at, each in enumerate(item.get(f"{name}s", ())):
                yield name, ("capabilities", index, f"{name}s", at), each


def _suggest(key: str, kind: str) -> str | None:
    from verigate.formats.near_names import suggest_nearest  # imported late: only needed for an unknown key

    return suggest_nearest(key, KNOWN_KEYS[kind])
