"""Which changed paths the claim and the commitment cover, and how git says that files were moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from verigate.domain.facts import Facts
from verigate.domain.scope_paths import named_by
from verigate.domain.task import UnitKind
from verigate.domain.verdict import EvidenceRef
from verigate.gate.rule_outcome import cite

_DIFF, _NAMES = "verigate:diff.v1", "diff_names.json"


def cover_paths(facts: Facts) -> Callable[[str], bool]:
    """Make a predicate: whether a claimed file unit, or the commitment's files or target directory, cover a path.

    A unit for one path of a moved file covers the other, and a statement that a file was deleted covers its deletion.
    """
    claimed = {unit.key for unit in facts.units or () if unit.kind is UnitKind.FILE}
    moved = {path for pair, _ in list_moves(facts) if not claimed.isdisjoint(pair) for path in pair}
    said = claimed | moved | _list_stated_deletions(facts)
    scope = facts.task.commitment.scope
    in_scope = named_by(scope.files, scope.target_directory)
    return lambda path: path in said or in_scope(path)


def list_moves(facts: Facts) -> Iterator[tuple[tuple[str, str], EvidenceRef]]:
    """List the files that git takes for moved: the paths before and after, and where that stands."""
    for artifact in facts.evidence.by_spec(_DIFF):
        for index, entry in enumerate(artifact.value.get("renamed") or ()):
            yield (entry["from"], entry["to"]), cite(artifact, "renamed", index)


def _list_stated_deletions(facts: Facts) -> frozenset[str]:
    """List the paths of which a statement of the claim says that they were deleted."""
    statements = facts.task.claim.statements if facts.task.claim is not None else ()
    readings = (statement.reading for statement in statements if statement.reading is not None)
    return frozenset(
        fact.what.removeprefix("./")
        for reading in readings
        for fact in reading.facts
        if fact.artifact == _NAMES and fact.value == "deleted"
    )
