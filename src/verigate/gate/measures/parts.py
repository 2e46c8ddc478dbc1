"""Look a part of the tests up where tests.json counts by file: those of a folder or file, or of a kind by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from verigate.domain.artifact import Artifact
from verigate.domain.statement_reading import StatedFact
from verigate.domain.verdict import EvidenceRef
from verigate.gate.rule_outcome import cite

_SHOWN = 5
_NAMES = {"e2e": "endtoend", "it": "integration", "ui": "frontend"}
_TESTS = re.compile(r"(?:tests?|specs?)$|^tests?")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")
_COUNTS = ("passed", "failed", "skipped")


def count_part(artifact: Artifact, fact: StatedFact) -> tuple[Mapping[str, int], tuple[EvidenceRef, ...]] | None:
    """Count the outcomes of the part that a fact is about, and say where; None where no file is known to be of it."""
    if fact.what == "share":
        return None
    chosen = [
        (index, entry)
        for index, entry in enumerate(artifact.value.get("files") or ())
        if _is_in_part(entry["path"], fact)
    ]
    if not chosen:
        return None
    counts = {key: sum(entry[key] for _, entry in chosen) for key in _COUNTS}
    refs = tuple(cite(artifact, "files", index) for index, _ in chosen[:_SHOWN])
    return {**counts, "total": sum(counts.values())}, refs


def is_counted(artifact: Artifact, fact: StatedFact) -> bool:
    """Whether an artifact counts the part of the tests that a fact is about."""
    return fact.artifact == "tests.json" and count_part(artifact, fact) is not None


def _is_in_part(path: str, fact: StatedFact) -> bool:
    if fact.scope is not None:
        return is_at_or_below(path, fact.scope)
    if fact.named:
        return set(map(_stem, fact.part.replace("-", " ").split())) <= set(map(_stem, _WORDS.findall(path)))
    return _normalise(fact.part) in set(_list_names(path))


def _stem(word: str) -> str:
    return word.lower().removesuffix("s")


def is_at_or_below(path: str, scope: str) -> bool:
    """Whether a path is ``scope`` or below it, which may lack its first folders."""
    place = scope.removeprefix("./").rstrip("/*")
    return path == place or path.startswith(f"{place}/") or path.endswith(f"/{place}") or f"/{place}/" in path


def _list_names(path: str) -> Iterator[str]:
    """List the names of a path's folders, and those in its file's name between dots: ``cart.e2e.test.ts``."""
    *folders, name = path.split("/")
    yield from map(_normalise, folders)
    yield from map(_normalise, name.split(".")[1:-1])


def _normalise(name: str) -> str:
    plain = re.sub(r"[^a-z0-9]", "", name.lower())
    bare = _TESTS.sub("", plain) or plain
    return _NAMES.get(bare, bare)
