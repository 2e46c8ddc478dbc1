"""What statements about texts are held against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from verigate.domain.artifact import Artifact
from verigate.domain.facts import Facts
from verigate.gate.answer import SHOWN, Answer, cite
from verigate.gate.content_units import is_lost
from verigate.gate.measures.compare import agrees, compared, contradicted, undecided
from verigate.statements.values import Fact, Relation

_COUNTERS_DIFFER = 0.05
"""By how much one way of counting words differs from another: markup, hyphens, numbers."""


def words(facts: Facts, artifact: Artifact, fact: Fact) -> Answer:
    """``/total``, or a file. A number that is near to the one found is neither borne out nor contradicted."""
    files = artifact.value["files"]
    if not files:
        return undecided(fact, "no file was counted", cite(artifact, "files"))
    if fact.what == "/total":
        total, ref = artifact.value["total"], cite(artifact, "total")
        if len(files) > 1 and not agrees(fact, total):
            return undecided(fact, f"{len(files)} files have {total} words together", ref)
    else:
        found = [n for n, entry in enumerate(files) if _is(entry["path"], fact.what)]
        if len(found) != 1:
            return undecided(fact, "it was not counted" if not found else f"{len(found)} files are called so")
        total, ref = files[found[0]]["word_count"], cite(artifact, "files", found[0], "word_count")
    off = abs(total - float(fact.value)) / max(float(fact.value), 1.0)
    if fact.relation is Relation.EQ and total and off <= float(facts.profile.rules.get("word_tolerance") or 0):
        return Answer(compared(fact, fact.value, ref).outcome, total, str(fact), None, (ref,))
    if fact.relation is Relation.EQ and not agrees(fact, total) and off <= _COUNTERS_DIFFER:
        return undecided(fact, f"{total} were counted, and ways of counting differ", ref)
    return compared(fact, total, ref)


def _is(path: str, wanted: str) -> bool:
    name = wanted.removeprefix("./")
    return path == name or path.endswith(f"/{name}")


def images(_: Facts, artifact: Artifact, fact: Fact) -> Answer:
    """``count``, ``without-alt``, ``lost``."""
    every = list(_entries(artifact))
    if not every and (fact.what != "count" or not artifact.value):
        return undecided(fact, "there is no image", cite(artifact))
    if fact.what == "count":
        return compared(fact, len(every), cite(artifact))
    if fact.what == "lost":
        found = [(path, index) for path, index, image in every if is_lost(image)]
    else:
        found = [(path, index) for path, index, image in every if not str(image.get("alt") or "").strip()]
    return _counted(artifact, fact, found)


def quotes(_: Facts, artifact: Artifact, fact: Fact) -> Answer:
    """``count``, and ``unattributed``: those without a source, and those that don't stand in the one they name."""
    every = list(_entries(artifact))
    if not every and (fact.what != "count" or not artifact.value):
        return undecided(fact, "there is no quote", cite(artifact))
    if fact.what == "count":
        return compared(fact, len(every), cite(artifact))
    found = [
        (path, index)
        for path, index, quote in every
        if not str(quote.get("source") or "").strip() or quote.get("occurs") is False
    ]
    return _counted(artifact, fact, found)


def _entries(artifact: Artifact) -> Iterator[tuple[str, int, Mapping[str, Any]]]:
    for path, items in sorted(artifact.value.items()):
        for index, item in enumerate(items):
            yield path, index, item


def _counted(artifact: Artifact, fact: Fact, found: list[tuple[str, int]]) -> Answer:
    refs = tuple(cite(artifact, path, index) for path, index in found[:SHOWN])
    return compared(fact, len(found), *(refs or (cite(artifact),)))


def headings(_: Facts, artifact: Artifact, fact: Fact) -> Answer:
    """``heading:TEXT``, and the number of files ``without-h1``."""
    if not artifact.value:
        return undecided(fact, "no file was examined", cite(artifact))
    if fact.what == "without-h1":
        bare = sorted(path for path, entry in artifact.value.items() if not entry.get("h1"))
        refs = tuple(cite(artifact, path, "h1") for path in bare[:SHOWN])
        return compared(fact, len(bare), *(refs or (cite(artifact),)))
    wanted = fact.what.removeprefix("heading:").strip().casefold()
    for path, entry in sorted(artifact.value.items()):
        if fact.scope is not None and not _is(path, fact.scope):
            continue
        for level, texts in sorted(entry.items()):
            for index, text in enumerate(texts if isinstance(texts, list) else ()):
                if str(text).strip().casefold() == wanted:
                    return compared(fact, "present", cite(artifact, path, level, index))
    if fact.scope is not None and not any(_is(path, fact.scope) for path in artifact.value):
        return undecided(fact, f"{fact.scope} was not examined")
    return contradicted(fact, "absent", cite(artifact))


def files(_: Facts, artifact: Artifact, fact: Fact) -> Answer:
    """``/files``: how many were examined."""
    return compared(fact, len(artifact.value["files"]), cite(artifact, "files"))
