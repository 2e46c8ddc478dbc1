"""Compare statements about changed files, functions and endpoints with the diff."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.statement_reading import Relation, StatedFact
from verigate.domain.task import Unit, UnitKind, parse_unit
from verigate.domain.verdict import EvidenceRef
from verigate.formats import pointer
from verigate.gate import symbols
from verigate.gate.measures.compare import compare, contradict, is_satisfied, leave_undecided
from verigate.gate.measures.fixed_functions import FIXED, measure_fixed_function
from verigate.gate.measures.stated_places import is_root_meant
from verigate.gate.measures.successors import judge_successors, list_successors
from verigate.gate.rule_outcome import RuleOutcome, cite
from verigate.gate.symbol_support import weigh


def measure_diff(_: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare the number of changed files, by kind, or of lines."""
    key = fact.what.removeprefix("/")
    value = artifact.value.get(key)
    if value is None:
        return leave_undecided(fact, f"{key} were not counted")
    return compare(fact, len(value) if isinstance(value, list) else value, cite(artifact, key))


def measure_file_change(_: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare whether a file was added, modified, deleted, or left unchanged.

    A name without a folder matches a changed file of that name, if there is only one.
    """
    found = _find_path(artifact, fact.what)
    elsewhere = bool(found) and _is_ambiguous(artifact, fact.what)
    if elsewhere or len(found) > 1:
        why = (
            "the file is in another folder of this name" if elsewhere else f"{len(found)} changed files have this name"
        )
        return leave_undecided(fact, why)
    if not found:
        if fact.value == "unchanged":
            return compare(fact, "unchanged", cite(artifact))
        return contradict(fact, "unchanged", cite(artifact))
    change, ref = found[0]
    if fact.value == "added" and change in {"modified", "changed"}:
        return leave_undecided(fact, "it existed before and was changed", ref)
    if fact.value in {"changed", "modified"} and change != "deleted":
        return compare(fact, fact.value, ref)
    return compare(fact, change, ref)


def _find_path(artifact: Artifact, wanted: str) -> list[tuple[str, EvidenceRef]]:
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


def _is_ambiguous(artifact: Artifact, wanted: str) -> bool:
    """Whether a path is only the end of a changed one, and its folder is at the root too: either may be meant."""
    path = wanted.removeprefix("./")
    groups = artifact.value.values() if isinstance(artifact.value, dict) else (artifact.value,)
    paths = [str(each) for group in groups if isinstance(group, list) for each in group]
    return "/" in path and path not in paths and not is_root_meant(path, "", paths)


def measure_functions(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare whether a function, method, class or endpoint was added, changed or removed, or how many were."""
    if artifact.value["files_parsed"] == 0:
        return leave_undecided(fact, "no changed file could be parsed", cite(artifact, "files_parsed"))
    if fact.what.startswith("/"):
        return _measure_count(artifact, fact)
    if fact.what.startswith(FIXED):
        return measure_fixed_function(facts, artifact, fact)
    try:
        unit = parse_unit(fact.what, lambda _: False)
    except ValueError:
        return leave_undecided(fact, "it is not a valid name")
    return _measure_symbol(facts, artifact, fact, unit)


def _measure_count(artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare a number of functions or endpoints. Whether tests are meant as well nobody says."""
    found = pointer.resolve(artifact.value, fact.what)
    ref = cite(artifact, *pointer.split(fact.what))
    own = sum(not entry.get("in_tests", False) for entry in found)
    if fact.value == 0:
        return compare(replace(fact, relation=Relation.EQ), len(found), ref)
    if is_satisfied(fact, len(found)) and not is_satisfied(fact, own):
        return leave_undecided(fact, f"{len(found) - own} of {len(found)} are in tests", ref)
    return compare(fact, len(found), ref)


def _measure_symbol(facts: Facts, artifact: Artifact, fact: StatedFact, unit: Unit) -> RuleOutcome:
    support = weigh(facts, unit, symbols.find_changed(artifact, unit))
    found = support.refs
    gone = symbols.find_removed(artifact, unit)
    if fact.value == "removed":
        return (
            _judge_removed(artifact, fact, unit, gone)
            if gone and not found
            else _judge_absence(artifact, fact, unit, found)
        )
    if not found:
        return _judge_absence(artifact, fact, unit, gone)
    if fact.value == "added" and not any("/added/" in ref.pointer for ref in found):
        return leave_undecided(fact, "it existed before and was changed", *found)
    if support.weak:
        return leave_undecided(fact, support.weak, *found)
    return compare(fact, fact.value, *found)


def _judge_removed(artifact: Artifact, fact: StatedFact, unit: Unit, gone: Sequence[EvidenceRef]) -> RuleOutcome:
    successors = list_successors(artifact, unit.key.rpartition("::")[2])
    return judge_successors(fact, unit.key, successors, len(gone)) or compare(fact, "removed", *gone)


def _judge_absence(artifact: Artifact, fact: StatedFact, unit: Unit, seen: Sequence[EvidenceRef]) -> RuleOutcome:
    """Judge a symbol that wasn't found: refuted only if every changed file could be parsed."""
    if seen:
        return contradict(fact, "removed" if fact.value != "removed" else "there", *seen)
    unread = [*artifact.value.get("files_failed", ()), *artifact.value.get("files_skipped", ())]
    if unread:
        return leave_undecided(fact, "some changed files could not be parsed", cite(artifact, "files_parsed"))
    group = "endpoints" if unit.kind is UnitKind.ENDPOINT else "functions"
    return contradict(fact, "neither added, changed nor removed", cite(artifact, group))
