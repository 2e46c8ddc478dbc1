"""Compare statements about texts with the content artifacts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.domain.statement_reading import Relation, StatedFact
from verigate.domain.verdict import EvidenceRef
from verigate.gate.content_units import is_lost
from verigate.gate.measures.compare import compare, contradict, is_satisfied, leave_undecided
from verigate.gate.rule_outcome import SHOWN, RuleOutcome, cite

_COUNTERS_DIFFER = 0.05
"""Relative difference between word counters, due to markup, hyphens and numbers."""


def measure_words(facts: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare the words of ``/total`` or of one file. A count close to the claimed one decides nothing."""
    files = artifact.value["files"]
    if not files:
        return leave_undecided(fact, "no file was counted", cite(artifact, "files"))
    if fact.what == "/total":
        total, ref = artifact.value["total"], cite(artifact, "total")
        if len(files) > 1 and not is_satisfied(fact, total):
            return leave_undecided(fact, f"{len(files)} files have {total} words together", ref)
        doubtful = artifact.value.get("total_doubtful", 0)
    else:
        found = [n for n, entry in enumerate(files) if _is_path(entry["path"], fact.what)]
        if len(found) != 1:
            return leave_undecided(fact, "it was not counted" if not found else f"{len(found)} files have this name")
        entry = files[found[0]]
        doubtful, total = entry.get("doubtful", 0), entry["word_count"]
        ref = cite(artifact, "files", found[0], "word_count")
    if doubtful and _is_open(fact, total, doubtful):
        return leave_undecided(fact, f"{total} words are shown for certain, {doubtful} more may be hidden", ref)
    return _compare_words(facts, fact, total, ref)


def _is_open(fact: StatedFact, total: int, doubtful: int) -> bool:
    """Whether the answer depends on words that may be hidden."""
    most = total + doubtful
    return is_satisfied(fact, total) != is_satisfied(fact, most) or total < float(fact.value) < most


def _compare_words(facts: Facts, fact: StatedFact, total: int, ref: EvidenceRef) -> RuleOutcome:
    off = abs(total - float(fact.value)) / max(float(fact.value), 1.0)
    if fact.relation is Relation.EQ and total and off <= float(facts.profile.rules.get("word_tolerance") or 0):
        return RuleOutcome(compare(fact, fact.value, ref).outcome, total, str(fact), None, (ref,))
    if fact.relation is Relation.EQ and not is_satisfied(fact, total) and off <= _COUNTERS_DIFFER:
        return leave_undecided(fact, f"{total} were counted, but word counters differ", ref)
    return compare(fact, total, ref)


def _is_path(path: str, wanted: str) -> bool:
    name = wanted.removeprefix("./")
    return path == name or path.endswith(f"/{name}")


def measure_images(_: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare the number of images: ``count``, ``without-alt``, ``lost``."""
    every = list(_list_entries(artifact))
    if not every and (fact.what != "count" or not artifact.value):
        return leave_undecided(fact, "there is no image", cite(artifact))
    if fact.what == "count":
        return compare(fact, len(every), cite(artifact))
    if fact.what == "lost":
        found = [(path, index) for path, index, image in every if is_lost(image)]
    else:
        found = [(path, index) for path, index, image in every if not str(image.get("alt") or "").strip()]
    return _compare_count(artifact, fact, found)


def measure_quotes(_: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare the number of quotes: ``count``, or ``unattributed`` (no source, or not found in the named source)."""
    every = list(_list_entries(artifact))
    if not every and (fact.what != "count" or not artifact.value):
        return leave_undecided(fact, "there is no quote", cite(artifact))
    if fact.what == "count":
        return compare(fact, len(every), cite(artifact))
    found = [
        (path, index)
        for path, index, quote in every
        if not str(quote.get("source") or "").strip() or quote.get("occurs") is False
    ]
    return _compare_count(artifact, fact, found)


def _list_entries(artifact: Artifact) -> Iterator[tuple[str, int, Mapping[str, Any]]]:
    for path, items in sorted(artifact.value.items()):
        for index, item in enumerate(items):
            yield path, index, item


def _compare_count(artifact: Artifact, fact: StatedFact, found: list[tuple[str, int]]) -> RuleOutcome:
    refs = tuple(cite(artifact, path, index) for path, index in found[:SHOWN])
    return compare(fact, len(found), *(refs or (cite(artifact),)))


def measure_headings(_: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare ``heading:TEXT``, or the number of files ``without-h1``."""
    if not artifact.value:
        return leave_undecided(fact, "no file was examined", cite(artifact))
    if fact.what == "without-h1":
        bare = sorted(path for path, entry in artifact.value.items() if not entry.get("h1"))
        refs = tuple(cite(artifact, path, "h1") for path in bare[:SHOWN])
        return compare(fact, len(bare), *(refs or (cite(artifact),)))
    wanted = fact.what.removeprefix("heading:").strip().casefold()
    for path, entry in sorted(artifact.value.items()):
        if fact.scope is not None and not _is_path(path, fact.scope):
            continue
        for level, texts in sorted(entry.items()):
            for index, text in enumerate(texts if isinstance(texts, list) else ()):
                if str(text).strip().casefold() == wanted:
                    return compare(fact, "present", cite(artifact, path, level, index))
    if fact.scope is not None and not any(_is_path(path, fact.scope) for path in artifact.value):
        return leave_undecided(fact, f"{fact.scope} was not examined")
    return contradict(fact, "absent", cite(artifact))


def measure_files(_: Facts, artifact: Artifact, fact: StatedFact) -> RuleOutcome:
    """Compare ``/files``, the number of files examined."""
    return compare(fact, len(artifact.value["files"]), cite(artifact, "files"))
