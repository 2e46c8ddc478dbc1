"""Compare how far a change is said to go with the files in changes.json: nothing of a kind, one place, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.code_paths import is_program
from verigate.domain.facts import Facts
from verigate.domain.statement_reading import StatedFact
from verigate.gate.measures.compare import contradict, leave_undecided
from verigate.gate.measures.other_pins import measure_other_pins
from verigate.gate.measures.stated_pins import list_pins
from verigate.gate.measures.stated_places import is_file, is_path, list_paths
from verigate.gate.rule_outcome import RuleOutcome, cite, holds

_SHOWN = 5
_File = Mapping[str, Any]
_REST = "rest"
_OTHER_PINS = "rest:dependencies"


def measure_untouched(artifact: Artifact, fact: StatedFact, name: str) -> RuleOutcome:
    """Compare whether no file of a kind, or no dependency, was touched."""
    if not artifact.value["files"]:
        return leave_undecided(fact, "no file changed", cite(artifact, "files"))
    return _measure_dependencies(artifact, fact) if name == "dependencies" else _measure_kind(artifact, fact, name)


def _measure_kind(artifact: Artifact, fact: StatedFact, name: str) -> RuleOutcome:
    files = list(enumerate(artifact.value["files"]))
    against = [index for index, file in files if _AGAINST[name](file)]
    if against:
        refs = (cite(artifact, "files", index) for index in against[:_SHOWN])
        return contradict(fact, f"changed: {files[against[0]][1]['path']}", *refs)
    doubtful = [index for index, file in files if _DOUBTFUL[name](file)]
    if doubtful:
        refs = (cite(artifact, "files", index) for index in doubtful[:_SHOWN])
        return leave_undecided(fact, f"{files[doubtful[0]][1]['path']} changed", *refs)
    return holds(fact.value, cite(artifact, "files"), message=f"{fact}")


def _changes_code(file: _File) -> bool:
    """Whether the code of a file differs. Sources of Rust may hold tests."""
    return file["kind"] == "code" and file["code"] in {"values", "differs"} and not file["path"].endswith(".rs")


def _may_change_code(file: _File) -> bool:
    """Whether the code may differ; that of a file with another path is found elsewhere, or built for something else."""
    same = file["code"] == "equal" and file["change"] != "renamed"
    kinds = {"code", "other", "manifest", "config"}
    return (file["kind"] in kinds or _is_program_of_docs(file)) and not same


def _changes_test(file: _File) -> bool:
    return file["kind"] == "test" and file["change"] in {"modified", "deleted"} and file["code"] == "differs"


def _is_program_of_docs(file: _File) -> bool:
    """Whether a program stands where documentation does: neither the one nor the other for sure."""
    return file["kind"] == "docs" and is_program(file["path"])


def _may_change_inner_tests(file: _File) -> bool:
    tests = file.get("tests")
    return tests == "differ" or (file["path"].endswith(".rs") and tests != "same")


_AGAINST: Mapping[str, Callable[[_File], bool]] = {
    "code": _changes_code,
    "tests": _changes_test,
    "docs": lambda file: file["kind"] == "docs" and not is_program(file["path"]),
}
_DOUBTFUL: Mapping[str, Callable[[_File], bool]] = {
    "code": _may_change_code,
    "tests": lambda file: file["kind"] in {"test", "other"} or _may_change_inner_tests(file),
    "docs": lambda file: file["kind"] == "other" or _is_program_of_docs(file),
}


def _measure_dependencies(artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    added = [(ref, pin) for ref, pin in list_pins(artifact, "dependency") if pin["change"] == "added"]
    direct = [(ref, pin) for ref, pin in added if not pin["locked"]]
    if direct:
        return contradict(fact, f"added: {direct[0][1]['name']}", *(ref for ref, _ in direct[:_SHOWN]))
    if added:
        return leave_undecided(fact, f"a lock file has {added[0][1]['name']}", *(ref for ref, _ in added[:_SHOWN]))
    if artifact.value["unread"]:
        return leave_undecided(fact, "not every changed file can be read", cite(artifact, "unread"))
    return holds(fact.value, cite(artifact, "pins"), message=f"{fact}")


def measure_within(artifact: Artifact, fact: StatedFact, name: str) -> RuleOutcome:
    """Compare whether all changed files are at or below a place."""
    files = list(enumerate(artifact.value["files"]))
    if not files:
        return leave_undecided(fact, "no file changed", cite(artifact, "files"))
    place = name.removeprefix("./").rstrip("/")
    outside = [index for index, file in files if not _is_below(file["path"], place)]
    if not outside:
        return holds(fact.value, cite(artifact, "files"), message=f"{fact}")
    refs = [cite(artifact, "files", index) for index in outside[:_SHOWN]]
    if len(outside) == len(files):
        return leave_undecided(fact, f"nothing changed in {place}", *refs)
    return contradict(fact, f"changed: {files[outside[0]][1]['path']}", *refs)


def measure_rest(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare whether no file, or no dependency, changed but those that the other statements of the claim name."""
    stated = list(_list_stated(facts))
    if fact.what == _OTHER_PINS:
        return measure_other_pins(facts, artifact, fact, stated)
    named = {path for each in stated if (path := _find_file(artifact, each)) is not None}
    if not named:
        return leave_undecided(fact, "no other statement names a file")
    left = [index for index, file in enumerate(artifact.value["files"]) if not _is_named(file["path"], named)]
    if not left:
        return holds(fact.value, cite(artifact, "files"), message=f"{fact}")
    refs = [cite(artifact, "files", index) for index in left[:_SHOWN]]
    first = artifact.value["files"][left[0]]["path"]
    if any(_find_file(artifact, each) is None for each in stated):
        return leave_undecided(fact, f"{first} changed, and may be what another statement is about", *refs)
    return contradict(fact, f"changed too: {first}", *refs)


def _list_stated(facts: Facts) -> Iterator[StatedFact]:
    """List what the claim states of the change, but for how far it goes."""
    claim = facts.task.claim
    for statement in claim.statements if claim is not None else ():
        for fact in statement.reading.facts if statement.reading is not None else ():
            if (
                fact.artifact in _OF_CHANGES
                and fact.value != "unchanged"
                and fact.what.partition(":")[0] not in _SCOPES
            ):
                yield fact


_OF_CHANGES = frozenset({"diff_names.json", "functions.json", "changes.json"})
_SCOPES = frozenset({_REST, "only", "untouched", "within", "words", "part"})


def _find_file(artifact: Artifact, fact: StatedFact) -> str | None:
    """Return the file that a fact is about, as it is called now; None if it is about something else."""
    if fact.artifact == "diff_names.json":
        return fact.what
    kind, _, name = fact.what.partition(":")
    if fact.artifact == "functions.json":
        path, separator, _ = name.partition("::")
        return path if separator and "." in path else None
    if kind in {"moved", "renamed"}:
        return _find_moved(artifact, name)
    return name if kind in {"file", "spelling"} else None


def _find_moved(artifact: Artifact, name: str) -> str | None:
    """Find the new path of the one file with this name that has another path now."""
    paths = list_paths(artifact)
    found = [file["path"] for file in artifact.value["files"] if file["from"] and is_file(name, file["from"], paths)]
    return found[0] if len(found) == 1 else None


def _is_named(path: str, named: Collection[str]) -> bool:
    return any(
        is_path(each.lower().removeprefix("./").rstrip("/"), path.lower()) or _is_below(path, each) for each in named
    )


def _is_below(path: str, place: str) -> bool:
    folder = place.removeprefix("./").rstrip("/")
    return folder in {"", ".", path} or path.startswith(f"{folder}/")
