"""Compare statements about names and files with changes.json: added, removed, documented, tested.

A name is counted by where it stands. What another file of code has, too, is neither new nor gone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from verigate.domain.artifact import Artifact
from verigate.domain.statement_reading import StatedFact
from verigate.domain.verdict import CheckOutcome, EvidenceRef
from verigate.gate.measures.compare import contradict, leave_undecided
from verigate.gate.measures.stated_places import find_pairs, is_file, is_file_name, is_path, is_symbol, list_paths
from verigate.gate.measures.successors import judge_successors
from verigate.gate.rule_outcome import RuleOutcome, cite, holds

CODE, _TEXTS = ("code", "test", "other"), ("docs", "comment")
_COMPARED, _LESS = frozenset({"more", "less"}), frozenset({"removed", "less"})
_DEFINED, _PROGRAMS = frozenset({"defined", "implemented"}), frozenset({"code"})
_OTHERWISE = re.compile(r"\w\.\w|^(?!@)[\w.]+(?:/\w+)+$")
UNTOUCHED = "not named by any changed line or path"


def measure_name(artifact: Artifact, fact: StatedFact, name: str) -> RuleOutcome:
    """Compare what is said of a name, or of a name within a function, class or file."""
    entry = find_name(artifact, name)
    if entry is None:
        return leave_undecided(fact, "it was not looked up")
    ref, counts = entry
    what, _space, place = str(fact.value).partition(" ")
    named = _Named(artifact, fact, name, counts, ref)
    return _measure_inside(named, what, place) if place else _NAMED[what](named)


def find_name(artifact: Artifact, name: str, *, folded: bool = False) -> tuple[EvidenceRef, Mapping[str, Any]] | None:
    """Find what was counted of a name, and where that stands; None if it was not looked up."""
    for index, each in enumerate(artifact.value["names"]):
        if each["name"] == name and each["folded"] is folded:
            return cite(artifact, "names", index), each
    return None


def count_places(counts: Mapping[str, Any], places: Sequence[str]) -> tuple[int, int]:
    """Count a name in some of the places, before and after."""
    before, after = (sum(counts[side][place] for place in places) for side in ("before", "after"))
    return before, after


def is_untouched(counts: Mapping[str, Any]) -> bool:
    """Whether no changed line or path has the name more or less often than before."""
    return not (counts["touched"] or counts["paths"] or counts["changed"])


def _is_absent(counts: Mapping[str, Any]) -> bool:
    """Whether no changed file has the name, near a changed line or not."""
    every = sum(sum(counts[side].values()) for side in ("before", "after"))
    return is_untouched(counts) and not every


def judge_absent(artifact: Artifact, fact: StatedFact, name: str, why: str) -> RuleOutcome:
    """Judge what no reader found: refuted if the name occurs nowhere in the change."""
    entry = find_name(artifact, name, folded=True)
    if entry is not None and _is_absent(entry[1]) and not artifact.value["unread"]:
        return contradict(fact, UNTOUCHED, entry[0])
    return leave_undecided(fact, why)


class _Named(Struct, frozen=True):
    """A stated name: what was counted of it, and where."""

    artifact: Artifact
    fact: StatedFact
    name: str
    counts: Mapping[str, Any]
    ref: EvidenceRef

    def support(self) -> RuleOutcome:
        return holds(self.fact.value, self.ref, message=f"{self.fact}")

    def refute(self, value: str) -> RuleOutcome:
        return contradict(self.fact, value, self.ref)

    def leave(self, why: str) -> RuleOutcome:
        return leave_undecided(self.fact, why, self.ref)

    def is_untouched(self) -> bool:
        """Whether the change has nothing of it.

        A member may be written otherwise, such as ``os.PathLike``; ``DateOnly/TimeOnly`` may be two names.
        """
        return is_untouched(self.counts) and _OTHERWISE.search(self.name) is None

    def is_member(self, change: str) -> bool:
        """Whether a member, named with what is around it, is new or gone."""
        before, after = self.counts["defined"]
        dotted = re.search(r"\w(?:\.|#|::)\w", self.name) is not None
        return dotted and (after > before == 0 if change == "added" else before > after == 0)

    def is_defined(self) -> bool:
        """Whether an endpoint of this name is new, or a function or class that does something."""
        before, after = self.counts["defined"]
        routes = self.counts.get("endpoints", (0, 0))
        return bool(after - self.counts.get("stubs", 0) > before == 0 or routes[1] > routes[0] == 0)

    def has_file(self, change: str, kinds: frozenset[str] = frozenset()) -> bool:
        """Whether a file of this name, and of one of the kinds if some are given, was added or deleted."""
        files = (file for file in self.artifact.value["files"] if file["change"] == change)
        paths = list_paths(self.artifact)
        return any(is_file(self.name, file["path"], paths) and (not kinds or file["kind"] in kinds) for file in files)

    def judge_successors(self, place: str = "") -> RuleOutcome | None:
        """Judge what its definitions and its file became, or those that are in a place; None for nothing."""
        pairs = [
            (cite(self.artifact, "moved", index), each["to"])
            for index, each in find_pairs(self.artifact, self.name)
            if not place or _is_place(place, {"symbol": each["to"], "path": each["to_path"]})
        ]
        files = [
            (cite(self.artifact, "files", index), file["path"])
            for index, file in enumerate(self.artifact.value["files"])
            if file["change"] == "renamed" and is_path(self.name.lower(), file["from"].lower())
        ]
        found = pairs if place or pairs else files
        return judge_successors(self.fact, self.name, found, self.counts["defined"][0])


def _measure_added(named: _Named) -> RuleOutcome:
    before, after = count_places(named.counts, CODE)
    unchanged = named.counts["unchanged_files"]
    mentioned = after > before == unchanged == 0 and not is_file_name(named.name)
    if named.has_file("added") or mentioned or named.is_member("added"):
        return named.support()
    if named.is_untouched():
        return named.refute(UNTOUCHED)
    return named.refute("removed") if before > after == unchanged == 0 else named.leave(_describe(named.counts))


def _measure_implemented(named: _Named) -> RuleOutcome:
    """Compare whether code of this name is new: a definition, or a file of code."""
    return _measure_added(named) if named.has_file("added", _PROGRAMS) else _measure_defined(named)


def _measure_defined(named: _Named) -> RuleOutcome:
    """Compare whether a definition of this name is new: that code has the name isn't enough."""
    added = _measure_added(named)
    if added.outcome is not CheckOutcome.HOLDS or named.is_defined():
        return added
    return named.leave("no function, class or endpoint of that name that does something is new")


def _measure_removed(named: _Named) -> RuleOutcome:
    before, after = count_places(named.counts, CODE)
    unchanged = named.counts["unchanged_files"]
    if (became := named.judge_successors()) is not None:
        return became
    mentioned = before > after == unchanged == 0 and not is_file_name(named.name)
    if named.has_file("deleted") or mentioned or named.is_member("removed"):
        return named.support()
    if named.is_untouched():
        return named.refute(UNTOUCHED)
    return named.refute("added") if after > before == unchanged == 0 else named.leave(_describe(named.counts))


def _measure_gone(named: _Named) -> RuleOutcome:
    """Compare whether no code has a name any more. Other code may have one of its own that is spelled the same."""
    before, after = count_places(named.counts, CODE)
    if (kept := _find_kept(named)) is not None:
        return named.refute(kept)
    if re.search(r"[.#:/]", named.name) is not None:
        return named.leave("code may write a member, or a file, otherwise")
    if after or named.counts["unchanged_files"] or not before:
        return named.leave(_describe(named.counts))
    if named.artifact.value["unread"]:
        return named.leave("not every changed file can be read")
    return named.support()


def _find_kept(named: _Named) -> str | None:
    """Say what shows that a name is still there; None without anything of the kind."""
    if named.is_untouched():
        return UNTOUCHED
    before, after = count_places(named.counts, CODE)
    were, are = named.counts["defined"]
    return "more" if after > before else "still defined" if 0 < were <= are else None


def _measure_more(named: _Named) -> RuleOutcome:
    before, after = count_places(named.counts, CODE)
    if after > before:
        return named.support()
    if named.is_untouched():
        return named.refute(UNTOUCHED)
    return named.refute("less") if after < before else named.leave(_describe(named.counts))


def _measure_less(named: _Named) -> RuleOutcome:
    before, after = count_places(named.counts, CODE)
    if after < before:
        return named.support()
    if named.is_untouched():
        return named.refute(UNTOUCHED)
    return named.refute("more") if after > before else named.leave(_describe(named.counts))


def _measure_documented(named: _Named) -> RuleOutcome:
    before, after = count_places(named.counts, _TEXTS)
    if after > before:
        return named.support()
    if all(file["kind"] == "lock" for file in named.artifact.value["files"]):
        return named.refute("no text or comment changed")
    return named.refute("less") if after < before else named.leave("no text names it more often than before")


def _measure_tested(named: _Named) -> RuleOutcome:
    before, after = count_places(named.counts, ("test",))
    if after > before:
        return named.support()
    if not touches(named.artifact, {"test", "code"}):
        return named.refute("without a changed test")
    return named.leave("no test names it more often than before")


def _measure_deprecated(named: _Named) -> RuleOutcome:
    if named.is_untouched():
        return named.refute(UNTOUCHED)
    return named.support() if named.counts["deprecating"] else named.leave("no added line says so")


def _measure_near(named: _Named) -> RuleOutcome:
    """Compare whether a changed file has the name, or is called so."""
    places = (*CODE, *_TEXTS)
    if named.counts["paths"] or sum(count_places(named.counts, places)):
        return named.support()
    return named.refute("in no changed file")


_NAMED: Mapping[str, Callable[[_Named], RuleOutcome]] = {
    "added": _measure_added,
    "defined": _measure_defined,
    "implemented": _measure_implemented,
    "removed": _measure_removed,
    "gone": _measure_gone,
    "more": _measure_more,
    "less": _measure_less,
    "documented": _measure_documented,
    "tested": _measure_tested,
    "deprecated": _measure_deprecated,
    "near": _measure_near,
}


def _measure_inside(named: _Named, what: str, place: str) -> RuleOutcome:
    """Compare how often a name occurs in a function, class or file."""
    found = [each for each in named.counts["inside"] if _is_place(place, each)]
    paths = named.counts["paths"]
    if what in _COMPARED and paths and all(is_path(place.lower().removeprefix("./"), path.lower()) for path in paths):
        return _NAMED[what](named)  # no other file has it more or less often
    if what == "removed" and (became := named.judge_successors(place)) is not None:
        return became
    if what in _DEFINED:
        new = [each for each in found if each["before"] == 0 and _is_definition(named.name, each["symbol"])]
        found = new if named.is_defined() else []
    elif what == "removed" and any(each["after"] for each in found):
        found = []  # something there still has it
    if any((each["after"] > each["before"]) is (what not in _LESS) for each in found):
        return named.support()
    if named.is_untouched():
        return named.refute(UNTOUCHED)
    return named.leave(f"nothing says so of {place}")


def _is_definition(name: str, symbol: str) -> bool:
    """Whether a symbol of a change is the function, class or endpoint of a name."""
    return is_symbol(name, symbol) or symbol.partition(" ")[2].strip("/") == name.strip("/")


def _is_place(place: str, inside: Mapping[str, Any]) -> bool:
    wanted = place.lower().removeprefix("./")
    segments = re.split(r"[.:#]+", inside["symbol"].lower())
    return wanted in {inside["symbol"].lower(), segments[-1], *segments} or is_path(wanted, inside["path"].lower())


def _describe(counts: Mapping[str, Any]) -> str:
    before, after = count_places(counts, CODE)
    elsewhere = f", and {counts['unchanged_files']} unchanged files have it" if counts["unchanged_files"] else ""
    return f"code has it {before} times before and {after} times after{elsewhere}"


def touches(artifact: Artifact, kinds: set[str]) -> bool:
    """Whether a file of one of these kinds changed."""
    return any(file["kind"] in kinds for file in artifact.value["files"])
