"""Compare statements about a name or file that was renamed or moved with changes.json."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verigate.domain.artifact import Artifact
from verigate.domain.statement_reading import StatedFact
from verigate.domain.verdict import EvidenceRef
from verigate.gate.measures.compare import contradict, leave_undecided
from verigate.gate.measures.stated_names import CODE, UNTOUCHED, count_places, find_name, is_untouched, touches
from verigate.gate.measures.stated_places import (
    find_pairs,
    is_at,
    is_file,
    is_file_name,
    is_known_place,
    is_symbol,
    list_paths,
)
from verigate.gate.rule_outcome import RuleOutcome, cite, holds


def measure_pair(artifact: Artifact, fact: StatedFact, name: str) -> RuleOutcome:
    """Compare a name or file that was renamed, or moved from where it stood."""
    new, _, origin = str(fact.value).partition(" from ")
    found = list(_find(artifact, name, new, moved=fact.what.startswith("moved:")))
    if not found:
        return _judge_pair_by_names(artifact, fact, name, new)
    paths = list_paths(artifact)
    for ref, path, around in found:
        if not origin or is_at(origin, path, paths) or (around and is_symbol(origin, around)):
            return holds(fact.value, ref, message=f"{fact}")
    refs = tuple(ref for ref, _, _ in found[:5])
    if is_known_place(origin, paths):
        return contradict(fact, f"from {found[0][1]}", *refs)
    return leave_undecided(fact, f"it was in {found[0][1]}, which may be another place than {origin}", *refs)


def _find(artifact: Artifact, name: str, new: str, *, moved: bool) -> Iterator[tuple[EvidenceRef, str, str]]:
    """Find what became ``new``, or went there: where that stands, its path before, and the class around it."""
    paths = list_paths(artifact)
    for index, each in find_pairs(artifact, name):
        (around, old), (_, now) = _split(each["from"]), _split(each["to"])
        went = old == now and each["from_path"] != each["to_path"] and is_at(new, each["to_path"], paths)
        if went if moved else is_symbol(new, each["to"]):
            yield cite(artifact, "moved", index), each["from_path"], around
    for index, file in enumerate(artifact.value["files"]):
        was, now = file["from"] or "", file["path"]
        if was and is_file(name, was, paths) and (is_at if moved else is_file)(new, now, paths):
            yield cite(artifact, "files", index), file["from"], ""


def _split(qualified: str) -> tuple[str, str]:
    """Split a qualified name into what is around it, and its last part."""
    last = re.split(r"[.:#]+", qualified)[-1]
    return qualified.removesuffix(last).rstrip(".:#"), last


def _judge_pair_by_names(artifact: Artifact, fact: StatedFact, old: str, new: str) -> RuleOutcome:
    was, now = find_name(artifact, old), find_name(artifact, new)
    if was is None or now is None:
        return leave_undecided(fact, "it was not looked up")
    refs = (was[0], now[0])
    fewer, more = count_places(was[1], CODE), count_places(now[1], CODE)
    renamed = fact.what.startswith("renamed:")
    if renamed and fewer[0] > fewer[1] == 0 == more[0] < more[1]:
        of_files = is_file_name(old) or is_file_name(new)
        if of_files or was[1]["defined"][0] or now[1]["defined"][1]:
            what = "file" if of_files else "similar definition"
            return leave_undecided(fact, f"no {what} of the one name became one of the other", *refs)
        return holds(fact.value, *refs, message=f"{fact}")
    if renamed and fewer[1] > fewer[0] and more[1] < more[0]:
        return contradict(fact, "the other way round", *refs)
    if is_untouched(was[1]) or (is_untouched(now[1]) and renamed):
        return contradict(fact, UNTOUCHED, *refs)
    return leave_undecided(fact, "no function, class or file was found that became the other one", *refs)


def measure_followed(artifact: Artifact, fact: StatedFact, old: str) -> RuleOutcome:
    """Compare whether tests named what was renamed, and have the new name in its place everywhere."""
    new = str(fact.value)
    was, now = find_name(artifact, old), find_name(artifact, new)
    if was is None or now is None:
        return leave_undecided(fact, "it was not looked up")
    refs = (was[0], now[0])
    if not touches(artifact, {"test", "code"}):
        return contradict(fact, "without a changed test", *refs)
    fewer, more = count_places(was[1], ("test",)), count_places(now[1], ("test",))
    if not fewer[0]:
        return leave_undecided(fact, f"no changed test named {old} before", *refs)
    if fewer[1] or was[1]["unchanged_files"]:
        return leave_undecided(fact, f"code or tests still name {old}", *refs)
    tests = {file["path"] for file in artifact.value["files"] if file["kind"] == "test"}
    has_new = {*now[1]["paths"]}
    left = [path for path in was[1]["paths"] if path in tests and not {path, path.replace(old, new)} & has_new]
    if more[1] <= more[0] or left:
        where = f" in {left[0]}" if left else ""
        return leave_undecided(fact, f"no test{where} names {new} more often than before", *refs)
    return holds(fact.value, *refs, message=f"{fact}")
