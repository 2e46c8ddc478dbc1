"""Compare statements that tests were moved, renamed, split or parametrised with the cells and the texts of tests.

The cells show that the tests check what they did; what was done to them is in their texts. "All tests" are refuted by
one to which it wasn't done, "the tests" are undecided then.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.statement_reading import StatedFact
from verigate.domain.test_ids import split_name
from verigate.gate.measures.compare import contradict, leave_undecided
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, cite, holds

Entry = Mapping[str, Any]
_Place = tuple[str, tuple[str, ...]]
_CHANGED_FORM = frozenset({"greened", "loosened", "followed", "blinded"})
"""Classes of tests whose form follows what the code does, rather than what was checked before."""


def measure_rewriting(facts: Facts, artifact: Artifact, fact: StatedFact, unread: RuleOutcome | None) -> RuleOutcome:
    """Support by tests that were rewritten as stated and, as they were, hold on the code of the subject.

    ``unread`` is the outcome if anything was not compared.
    """
    deed = fact.what.partition(":")[0].removeprefix("all_").removeprefix("tests_")
    if (unlike := _find_unlike(artifact, fact, deed)) is not None:
        return unlike
    chosen = [index for index, entry in enumerate(artifact.value["tests"]) if _CHOSEN[deed](entry, fact)]
    refs = tuple(cite(artifact, "tests", index) for index in chosen[:SHOWN])
    entries = [artifact.value["tests"][index] for index in chosen]
    if why := _find_contradiction(entries):
        return contradict(fact, why, *refs)
    compared = [entry for entry in entries if set(entry["cells"]["HB"]) == {"P"}]
    if unread is not None or not compared:
        return unread or leave_undecided(fact, "no test that runs compare is so", cite(artifact, "total"))
    if lacking := _LACKING[deed](artifact, fact, compared):
        return lacking
    if weakened := next(_find_weakened(facts, entries), None):
        return leave_undecided(fact, f"{weakened} may check less", *refs)
    return holds(len(compared), *refs, message=f"{fact}")


def _find_unlike(artifact: Artifact, fact: StatedFact, deed: str) -> RuleOutcome | None:
    """Find a named test that has another new name than is stated, or fewer changed tests than are counted."""
    if deed == "renamed" and isinstance(fact.value, str) and ":" in fact.what:
        return _find_other_name(artifact, fact)
    if type(fact.value) is int and not artifact.value["unexamined"]:
        changed = [at for at, each in _list_written(artifact) if each["in"] != "head" and not each["same"]]
        if len(changed) < fact.value:
            refs = tuple(cite(artifact, "written", at) for at in changed[:SHOWN]) or (cite(artifact, "total"),)
            return contradict(fact, f"{len(changed)} tests of base changed", *refs)
    return None


def _find_other_name(artifact: Artifact, fact: StatedFact) -> RuleOutcome | None:
    """Find the one test with the stated old name, if it became another one."""
    tests = list(enumerate(artifact.value["tests"]))
    was = [(at, each) for at, each in tests if each.get("was") and _is_named(each["was"], fact)]
    kept = [each for _, each in _list_written(artifact) if each["in"] == "both" and _is_named(each, fact)]
    wanted = split_name(str(fact.value))
    if len(was) != 1 or kept or split_name(was[0][1]["test"])[-len(wanted) :] == wanted:
        return None
    if split_name(was[0][1]["was"]["test"]) == split_name(was[0][1]["test"]):
        return None
    return contradict(fact, f"to {was[0][1]['test']}", cite(artifact, "tests", was[0][0]))


def _find_contradiction(entries: Sequence[Entry]) -> str | None:
    if any(entry["class"] in _CHANGED_FORM for entry in entries):
        return "what they check changed with the code"
    if any(entry["class"] == "lost" and set(entry["cells"]["HB"]) == {"F"} for entry in entries):
        return "a test that is gone fails on the code of the subject"
    return None


def _find_weakened(facts: Facts, entries: list[Entry]) -> Iterator[str]:
    """Find weakenings in the files of these tests that no runs of them acquit."""
    paths = {place["path"] for entry in entries for place in (entry, entry.get("was") or entry)}
    for item in facts.weakenings.items if facts.weakenings is not None else ():
        if item.weakening.path in paths and (item.accounted is None or item.takes_support):
            yield item.weakening.target


def _is_moved(entry: Entry, fact: StatedFact) -> bool:
    was = entry.get("was")
    if was is None or was["path"] == entry["path"] or not _is_named(was, fact):
        return False
    return _is_in_place(entry["path"], fact)


def _is_in_place(path: str, fact: StatedFact) -> bool:
    place = fact.value if isinstance(fact.value, str) else ""
    return not place or f"{path}/".startswith(f"{place.removeprefix('./').rstrip('/')}/")


def _is_renamed(entry: Entry, fact: StatedFact) -> bool:
    was = entry.get("was")
    if was is None or split_name(was["test"]) == split_name(entry["test"]) or not _is_named(was, fact):
        return False
    wanted = split_name(fact.value) if isinstance(fact.value, str) else ()
    return not wanted or split_name(entry["test"])[-len(wanted) :] == wanted


def _is_of_base(entry: Entry, fact: StatedFact) -> bool:
    return set(entry["cells"]["BB"]) != {"N"} and _is_named(entry.get("was") or entry, fact)


def _is_named(place: Mapping[str, str], fact: StatedFact) -> bool:
    wanted = split_name(fact.what.partition(":")[2])
    return not wanted or split_name(place["test"])[-len(wanted) :] == wanted


def _find_unchanged(artifact: Artifact, fact: StatedFact, changed: Sequence[Entry]) -> RuleOutcome | None:
    """Find a test of base that kept its place or name, in a file with tests that didn't, or is gone."""
    if ":" in fact.what:
        return None
    done = {_find_place(entry) for entry in changed}
    paths = {path for path, _ in done}
    return _find_left(artifact, fact, paths, done) or _ask_for_all(artifact, fact, paths)


def _find_left(
    artifact: Artifact, fact: StatedFact, paths: Collection[str], done: Collection[_Place]
) -> RuleOutcome | None:
    """Find a test of base in these files to which it wasn't done, or a file whose tests aren't known."""
    of_base = [(at, each) for at, each in _list_written(artifact) if each["in"] != "head" and each["path"] in paths]
    unknown = set(paths) - {each["path"] for _, each in of_base}
    if unknown:
        return leave_undecided(fact, f"it isn't known which tests {min(unknown)} had", cite(artifact, "total"))
    left = [(at, each) for at, each in of_base if _find_place(each) not in done]
    if not left:
        return None
    refs = tuple(cite(artifact, "written", at) for at, _ in left[:SHOWN])
    stayed = [each for _, each in left if each["in"] == "both"]
    first = (stayed or [left[0][1]])[0]
    what = f"{first['path']}::{first['test']} {'stayed as it was' if stayed else 'is not so'}"
    return contradict(fact, what, *refs) if stayed and _is_of_all(fact) else leave_undecided(fact, what, *refs)


def _ask_for_all(artifact: Artifact, fact: StatedFact, paths: Collection[str]) -> RuleOutcome | None:
    """Leave "all tests" undecided if there are other test files, which may have some that it wasn't done to."""
    if not _is_of_all(fact):
        return None
    others = [
        (at, each)
        for at, each in _list_written(artifact)
        if each["in"] != "head" and each["path"] not in paths and not (each["in"] == "both" and _is_at_home(each, fact))
    ]
    if others:
        ref = cite(artifact, "written", others[0][0])
        return leave_undecided(fact, f"{others[0][1]['path']} has other tests", ref)
    if artifact.value.get("same_files", 1):
        return leave_undecided(fact, "other test files didn't change", cite(artifact, "total"))
    return None


def _is_at_home(test: Entry, fact: StatedFact) -> bool:
    return isinstance(fact.value, str) and _is_in_place(test["path"], fact)


def _find_unsplit(artifact: Artifact, fact: StatedFact, compared: Sequence[Entry]) -> RuleOutcome | None:
    """Find a test whose assertions aren't shared out among tests of the subject."""
    return _require_each(artifact, fact, compared, lambda each: len(each["parts"]) > 1, "is split into no others")


def _find_untabled(artifact: Artifact, fact: StatedFact, compared: Sequence[Entry]) -> RuleOutcome | None:
    """Find a changed test that has no table, or had it before. One that is gone may be a row of another one."""
    written = [each for _, each in _list_written(artifact)]
    before = {_find_place(each) for each in written if each["table"] in {"base", "both"}}
    after = {(each["path"], split_name(each["test"])) for each in written if each["table"] in {"head", "both"}}
    tabled = {
        _find_place(entry)
        for entry in artifact.value["tests"]
        if (entry["path"], split_name(entry["test"])) in after and _find_place(entry) not in before
    }
    paired = {_find_place(entry) for entry in compared if _became_another(entry)}
    paths = {path for path, _ in tabled}
    gone = {_find_place(each) for each in written if each["in"] == "base" and each["path"] in paths} - paired
    done = tabled | gone if tabled and ":" not in fact.what else tabled
    done &= {_find_place(each) for each in written if each["in"] != "head"}
    if type(fact.value) is int and len(done) != fact.value:
        return leave_undecided(fact, f"{len(done)} tests have a table that they hadn't before", cite(artifact, "total"))
    why = "has no table that it hadn't before"
    return _require_each(artifact, fact, compared, lambda each: _find_place(each) in done, why)


def _became_another(entry: Entry) -> bool:
    """Whether a test of base is another one now. One that is gone is written as having been itself."""
    was = entry.get("was")
    return was is not None and (was["path"], was["test"]) != (entry["path"], entry["test"])


def _require_each(
    artifact: Artifact, fact: StatedFact, compared: Sequence[Entry], is_done: Callable[[Entry], bool], why: str
) -> RuleOutcome | None:
    """Require something of each test of base that is named; of each that changed; or, if all are said, of all."""
    meant = [
        (at, each)
        for at, each in _list_written(artifact)
        if each["in"] != "head" and _is_named(each, fact) and (":" in fact.what or _is_of_all(fact) or not each["same"])
    ]
    places = {_find_place(entry) for entry in compared}
    lacking = [(at, each) for at, each in meant if not is_done(each)]
    if lacking:
        at, each = lacking[0]
        return leave_undecided(fact, f"{each['path']}::{each['test']} {why}", cite(artifact, "written", at))
    if not any(_find_place(each) in places for _, each in meant):
        return leave_undecided(fact, "no test that runs compare is so", cite(artifact, "total"))
    return _ask_for_all(artifact, fact, {each["path"] for _, each in meant})


def _find_place(entry: Entry) -> _Place:
    """Find where a test stands in base, and what it is called there."""
    was = entry.get("was") or entry
    return was["path"], split_name(was["test"])


def _list_written(artifact: Artifact) -> Sequence[tuple[int, Entry]]:
    return list(enumerate(artifact.value.get("written", ())))


def _is_of_all(fact: StatedFact) -> bool:
    return fact.what.startswith("all_")


_CHOSEN: Mapping[str, Callable[[Entry, StatedFact], bool]] = {
    "moved": _is_moved,
    "renamed": _is_renamed,
    "split": _is_of_base,
    "parametrised": _is_of_base,
}
_LACKING: Mapping[str, Callable[[Artifact, StatedFact, Sequence[Entry]], RuleOutcome | None]] = {
    "moved": _find_unchanged,
    "renamed": _find_unchanged,
    "split": _find_unsplit,
    "parametrised": _find_untabled,
}
"""What a statement of each kind needs besides tests that were compared, as an outcome if it isn't there."""
