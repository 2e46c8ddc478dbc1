"""Compare statements about a change as a whole, and about its files, with changes.json.

What is stated is refuted only by what contradicts it. Where nothing is found, a fact is refuted if the name occurs
nowhere in the change, and open otherwise: there are more ways to pin a version than there are readers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.code_paths import is_program
from verigate.domain.facts import Facts
from verigate.domain.statement_reading import StatedFact
from verigate.gate.measures.compare import contradict, leave_undecided
from verigate.gate.measures.stated_names import measure_name
from verigate.gate.measures.stated_pairs import measure_followed, measure_pair
from verigate.gate.measures.stated_pins import list_pins, measure_own, measure_pin, measure_pins, measure_runtime
from verigate.gate.measures.stated_places import is_file, list_paths
from verigate.gate.measures.stated_reverts import measure_revert
from verigate.gate.measures.stated_scope import measure_rest, measure_untouched, measure_within
from verigate.gate.rule_outcome import RuleOutcome, cite, holds


def measure_changes(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare one fact; the part of ``what`` before its colon says which."""
    kind, _colon, name = fact.what.partition(":")
    if kind == "rest":
        return measure_rest(facts, artifact, fact)
    return _MEASURES[kind](artifact, fact, name)


_ONLY: Mapping[str, frozenset[str]] = {
    "docs": frozenset({"docs"}),
    "texts": frozenset({"docs"}),
    "tests": frozenset({"test"}),
    "examined": frozenset({"test"}),
    "ci": frozenset({"ci", "config"}),
    "pipelines": frozenset({"ci", "config"}),
    "dependencies": frozenset({"lock", "manifest", "ci", "config"}),
    "upgrade": frozenset({"lock", "manifest", "ci", "config"}),
    "layout": frozenset(),
    "spelling": frozenset(),
    "comments": frozenset(),
}


_VAGUE = frozenset({"texts", "examined", "pipelines"})
"""Kinds that a line says in prose: code may be about them as well, and contradicts nothing."""

_OF_FILES = frozenset({"docs", "tests", "ci", "dependencies", "upgrade"})
_CLEAR: Mapping[str, frozenset[str]] = {
    "docs": frozenset({"code", "test", "lock"}),
    "tests": frozenset({"code", "docs", "lock"}),
    "ci": frozenset({"code", "docs"}),
    "dependencies": frozenset({"code", "test", "docs"}),
    "upgrade": frozenset({"code", "test", "docs"}),
}
"""Kinds that leave no doubt that a change is of another one, if all of its files are of them. CI runs tests."""

_CALLED_TEST = re.compile(r"(?:^|/)tests?\.\w+$", re.IGNORECASE)


def _measure_only(artifact: Artifact, fact: StatedFact, _: str) -> RuleOutcome:
    what = str(fact.value)
    files = list(enumerate(artifact.value["files"]))
    if not files:
        return leave_undecided(fact, "no file changed", cite(artifact, "files"))
    if what == "rename":
        return _measure_rename(artifact, fact)
    left = [(index, file) for index, file in files if not _is_of_kind(what, file)]
    if not left:
        return holds(what, cite(artifact, "files"), message=f"{fact}")
    return _judge_left(artifact, fact, left)


def _judge_left(artifact: Artifact, fact: StatedFact, left: list[tuple[int, Mapping[str, Any]]]) -> RuleOutcome:
    """Judge the files that are of another kind than is stated."""
    what = str(fact.value)
    versions = {pin["path"] for _, pin in list_pins(artifact, "own")}
    against = [index for index, file in left if _contradicts(what, file) and file["path"] not in versions]
    if what == "upgrade" and (pin := next(list_pins(artifact, "dependency"), None)) is not None:
        why = f"{left[0][1]['path']} changed too, which may follow from a dependency that changed"
        return leave_undecided(fact, why, pin[0])
    if against:
        refs = tuple(cite(artifact, "files", index) for index in against[:5])
        return contradict(fact, f"code in {artifact.value['files'][against[0]]['path']}", *refs)
    refs = tuple(cite(artifact, "files", index) for index, _ in left[:5])
    if (
        what in _OF_FILES
        and len(left) == len(artifact.value["files"])
        and all(_is_clear(what, file) and file["path"] not in versions for _, file in left)
        and not (what == "tests" and any(_may_be_test(file["path"]) for _, file in left))
    ):
        return contradict(fact, f"{left[0][1]['kind']} in {left[0][1]['path']}", *refs)
    return leave_undecided(fact, f"{left[0][1]['path']} changed too", *refs)


def _measure_rename(artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare whether each file has another path alone. Where names in code changed, more may have than these.

    Refuted by code that came and none that went, or the reverse: a file that is too unlike its old form is both.
    """
    files = list(enumerate(artifact.value["files"]))
    if all(file["change"] == "renamed" and file["code"] == "equal" for _, file in files):
        return holds(fact.value, cite(artifact, "files"), message=f"{fact}")
    of_code = [(index, file) for index, file in files if file["kind"] in {"code", "test"}]
    one_sided = [each for each in of_code if each[1]["change"] in {"added", "deleted"}]
    if len({file["change"] for _, file in one_sided}) == 1 and not artifact.value["unread"]:
        index, file = one_sided[0]
        return contradict(fact, f"{file['change']}: {file['path']}", cite(artifact, "files", index))
    other = next(each for each in files if each[1]["change"] != "renamed" or each[1]["code"] != "equal")
    return leave_undecided(fact, f"more may have changed in {other[1]['path']}", cite(artifact, "files", other[0]))


def _may_be_test(path: str) -> bool:
    return path.endswith(".rs") or _CALLED_TEST.search(path) is not None


def _is_clear(what: str, file: Mapping[str, Any]) -> bool:
    """Whether a file leaves no doubt. Texts in code, and documentation that a program reads, are of two kinds.

    So are examples of Go, which stand in its tests.
    """
    two = file["code"] in {"documentation", "strings"} or file["path"].endswith("_test.go")
    if what == "tests" and file["kind"] == "docs" and not file["path"].lower().endswith(_PROSE):
        return False  # a certificate, or data, in a folder of examples
    return file["kind"] in _CLEAR[what] and not (what == "docs" and two)


def _measure_words(artifact: Artifact, fact: StatedFact, name: str) -> RuleOutcome:
    """Compare what texts, tests or pipelines are said to be about with the words of their changed lines."""
    for index, each in enumerate(artifact.value["words"]):
        if each["kind"] == name and each["text"] == fact.value:
            ref = cite(artifact, "words", index)
            if each["found"] and not each["missing"]:
                code = name == "added" and any(_contradicts("docs", file) for file in artifact.value["files"])
                if code:
                    return leave_undecided(fact, "code changed, whose behaviour no word says", ref)
                return holds(fact.value, ref, message=f"{fact}")
            return leave_undecided(fact, f"no changed line has: {', '.join(each['missing'][:5]) or 'anything'}", ref)
    return leave_undecided(fact, "it was not looked up")


def _measure_part(artifact: Artifact, fact: StatedFact, name: str) -> RuleOutcome:
    """Compare whether something of a part changed: a folder, or a file with or without its suffix."""
    wanted = [part for part in re.split(r"[/.]", name.lower()) if part]
    for index, file in enumerate(artifact.value["files"]):
        parts = re.split(r"[/._-]", file["path"].lower())
        if all(part in parts or f"{part}s" in parts or f"_{part}" in file["path"].lower() for part in wanted):
            return holds(fact.value, cite(artifact, "files", index), message=f"{fact}")
    return leave_undecided(fact, "no changed path is called so", cite(artifact, "files"))


def _is_of_kind(what: str, file: Mapping[str, Any]) -> bool:
    if what == "spelling":
        return bool(file["edit"] == "spelling")
    if what == "comments":
        return bool(file["code"] == "equal" and file["kind"] in {"code", "test"} and file["change"] == "modified")
    if what == "layout":
        content = file.get("content")
        same = file["code"] if file["code"] != "unknown" else content
        return bool(same == "equal" and content != "differs" and file["change"] == "modified")
    programs = {"code", "test"} | ({"docs"} if is_program(file["path"]) else set())
    unchanged = file["code"] == "equal" and file["kind"] in programs and file["change"] != "renamed"
    if file["kind"] == "config" and not _is_of_tools(file["path"]):
        return False
    if what in {"docs", "texts"}:
        prose = file["kind"] == "ci" and file["path"].lower().endswith(_PROSE)
        return unchanged or prose or (file["kind"] == "docs" and not is_program(file["path"]))
    return file["kind"] in _ONLY[what]


_PROSE = (".md", ".markdown", ".rst")
"""Ends of texts for people that stand in a folder of CI: CONTRIBUTING.md, templates of issues."""


def _is_of_tools(path: str) -> bool:
    """Whether a configuration stands where tools look for theirs; in a folder it may be the product's."""
    return "/" not in path or any(part.startswith(".") for part in path.split("/"))


def _contradicts(what: str, file: Mapping[str, Any]) -> bool:
    if what in _VAGUE or (what == "spelling" and file["edit"] != "other"):
        return False
    if what == "tests" and _may_be_test(file["path"]):
        return False  # tests of Rust stand in its sources, and a program may be nothing but a test: test.c
    if what == "ci" and file["change"] == "added":
        return False  # a program that CI runs is code by its name
    if what == "docs" and file["edit"] == "spelling":
        return False
    if what == "layout":
        return bool(file["kind"] == "code" and file["change"] in {"added", "deleted"})
    kinds = {"code", "test"} if what == "comments" else {"code"}
    against = {"values", "differs"} if what in {"docs", "tests", "comments"} else {"differs"}
    return bool(file["kind"] in kinds and file["code"] in against)


def _measure_spelling(artifact: Artifact, fact: StatedFact, name: str) -> RuleOutcome:
    """Compare whether each changed word of a file became a similar one; refuted where the file didn't change."""
    wanted, paths = name.lower().removeprefix("./"), list_paths(artifact)
    found = [
        (cite(artifact, "files", index), file["edit"])
        for index, file in enumerate(artifact.value["files"])
        if is_file(wanted, file["path"], paths) or is_file(wanted, file["path"].rpartition(".")[0], paths)
    ]
    if not found:
        return _measure_file(artifact, fact, name)
    refs = tuple(ref for ref, _ in found[:5])
    if len(found) == 1 and found[0][1] == "spelling":
        return holds(fact.value, *refs, message=f"{fact}")
    return leave_undecided(fact, "more than the spelling of words changed", *refs)


def _measure_file(artifact: Artifact, fact: StatedFact, name: str) -> RuleOutcome:
    wanted = name.lower().removeprefix("./")
    found = [
        (cite(artifact, "files", index), file["change"])
        for index, file in enumerate(artifact.value["files"])
        if is_file(wanted, file["path"], list_paths(artifact))
    ]
    if not found:
        stem = wanted.rpartition("/")[2].partition(".")[0].rstrip("s")
        if any(stem in file["path"].lower() for file in artifact.value["files"]):
            return leave_undecided(fact, "another file with much the same name changed", cite(artifact, "files"))
        return contradict(fact, "unchanged", cite(artifact, "files"))
    refs = tuple(ref for ref, _ in found[:5])
    changes = {"removed" if change == "deleted" else change for _, change in found}
    if fact.value in changes or (fact.value == "changed" and changes & {"modified", "added", "renamed"}):
        return holds(fact.value, *refs, message=f"{fact}")
    if changes <= {"modified", "renamed"} or fact.value == "changed":
        return leave_undecided(fact, f"it was {' and '.join(sorted(changes))}", *refs)
    return contradict(fact, " and ".join(sorted(changes)), *refs)


_MEASURES: Mapping[str, Callable[[Artifact, StatedFact, str], RuleOutcome]] = {
    "pin": measure_pin,
    "pins": measure_pins,
    "own": measure_own,
    "runtime": measure_runtime,
    "only": _measure_only,
    "words": _measure_words,
    "part": _measure_part,
    "file": _measure_file,
    "spelling": _measure_spelling,
    "name": measure_name,
    "renamed": measure_pair,
    "moved": measure_pair,
    "followed": measure_followed,
    "revert": measure_revert,
    "untouched": measure_untouched,
    "within": measure_within,
}
