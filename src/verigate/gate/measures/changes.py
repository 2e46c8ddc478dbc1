"""What statements about changed files, functions and endpoints are held against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.task import Unit, UnitKind, parse_unit
from verigate.domain.verdict import EvidenceRef
from verigate.formats import pointer
from verigate.gate import symbols
from verigate.gate.answer import Answer, cite
from verigate.gate.measures.compare import compared, contradicted, undecided
from verigate.statements.values import Fact


def diff(_: Facts, artifact: Artifact, fact: Fact) -> Answer:
    """The number of changed files, by kind, and of lines."""
    key = fact.what.removeprefix("/")
    value = artifact.value.get(key)
    if value is None:
        return undecided(fact, f"{key} were not counted")
    return compared(fact, len(value) if isinstance(value, list) else value, cite(artifact, key))


def names(_: Facts, artifact: Artifact, fact: Fact) -> Answer:
    """Whether a file is changed, added, modified, deleted or as it was.

    A name without a folder is that of the one changed file which is called so.
    """
    found = _named(artifact, fact.what)
    if len(found) > 1:
        return undecided(fact, f"{len(found)} changed files are called so")
    if not found:
        if fact.value == "unchanged":
            return compared(fact, "unchanged", cite(artifact))
        return contradicted(fact, "unchanged", cite(artifact))
    change, ref = found[0]
    if fact.value == "added" and change in {"modified", "changed"}:
        return undecided(fact, "it was changed, and was there before", ref)
    if fact.value in {"changed", "modified"} and change != "deleted":
        return compared(fact, fact.value, ref)
    return compared(fact, change, ref)


def _named(artifact: Artifact, wanted: str) -> list[tuple[str, EvidenceRef]]:
    path = wanted.removeprefix("./")
    groups: Mapping[str, Any] = artifact.value if isinstance(artifact.value, dict) else {"": artifact.value}
    exact: list[tuple[str, EvidenceRef]] = []
    ends: list[tuple[str, EvidenceRef]] = []
    for change, paths in groups.items():
        for index, found in enumerate(paths if isinstance(paths, list) else ()):
            entry = (change or "changed", cite(artifact, *((change, index) if change else (index,))))
            if found == path:
                exact.append(entry)
            elif str(found).endswith(f"/{path}"):
                ends.append(entry)
    return exact or ends


def functions(_: Facts, artifact: Artifact, fact: Fact) -> Answer:
    """Whether a function, a method, a class or an endpoint was added, changed or removed, and how many were."""
    if artifact.value["files_parsed"] == 0:
        return undecided(fact, "no changed file could be parsed", cite(artifact, "files_parsed"))
    if fact.what.startswith("/"):
        segments = pointer.split(fact.what)
        return compared(fact, len(pointer.resolve(artifact.value, fact.what)), cite(artifact, *segments))
    try:
        unit = parse_unit(fact.what, lambda _: False)
    except ValueError:
        return undecided(fact, "it names nothing")
    return _symbol(artifact, fact, unit)


def _symbol(artifact: Artifact, fact: Fact, unit: Unit) -> Answer:
    found = [ref for ref in symbols.find(artifact, unit) if not ref.value.get("stub")]
    gone = symbols.removed(artifact, unit)
    if fact.value == "removed":
        return compared(fact, "removed", *gone) if gone and not found else _absent(artifact, fact, unit, found)
    if not found:
        return _absent(artifact, fact, unit, gone)
    if fact.value == "added" and not any("/added/" in ref.pointer for ref in found):
        return undecided(fact, "it was changed, and was there before", *found)
    return compared(fact, fact.value, *found)


def _absent(artifact: Artifact, fact: Fact, unit: Unit, seen: Sequence[EvidenceRef]) -> Answer:
    """Nothing bears it out. It is refuted only where every changed file could be read."""
    if seen:
        return contradicted(fact, "removed" if fact.value != "removed" else "there", *seen)
    unread = [*artifact.value.get("files_failed", ()), *artifact.value.get("files_skipped", ())]
    if unread:
        return undecided(fact, "some changed files could not be parsed", cite(artifact, "files_parsed"))
    group = "endpoints" if unit.kind is UnitKind.ENDPOINT else "functions"
    return contradicted(fact, "neither added, changed nor removed", cite(artifact, group))
