"""Which words of a description stand in the changed lines of texts, tests or pipelines, or in their paths.

Words are compared by stem (Porter's stemmer for English, https://snowballstem.org). A description says where something
changed, too: if a changed line has one of its words, the others may stand in the lines that a diff shows around it, or
in the heading above.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import Stemmer

from code_adapter.changes.changed_lines import list_changed_lines, list_lines_around, split_changed_lines
from code_adapter.changes.kinds import classify

if TYPE_CHECKING:
    from code_adapter.syntax.changes import ChangedFile

_WORD = re.compile(r"[^\W\d_]{2,}|\d+(?:\.\d+)+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
_CAMELS = re.compile(r"\b[A-Za-z]+(?<=[a-z])[A-Z][A-Za-z]*\b")
_SEPARATORS = re.compile(r"[-_]|\.\w+$")
_LINK = re.compile(r"https?://|\]\(|\bhref=|^\.\. _|^\[[^\]]+\]:")
_KINDS = {"docs": {"docs"}, "tests": {"test"}, "ci": {"ci", "config"}}
_DOCUMENTED = "documented"
"""Words that stand in the lines that texts got."""

_SIDES = frozenset({"added", "removed"})
_TEXTS_IN_CODE = {"docs"}
"""Kinds of words that may stand in comments of code, too."""


def find_words(asked: Iterable[tuple[str, Sequence[str]]], files: Sequence[ChangedFile]) -> list[dict[str, Any]]:
    """Return for each kind and its words ``{kind, text, found, missing}``."""
    stems: dict[str, frozenset[str]] = {}
    around: dict[str, frozenset[str]] = {}
    entries = []
    for kind, words in asked:
        if kind not in stems:
            list_stems = _list_moved_stems if kind in _SIDES else _list_changed_stems
            stems[kind] = frozenset(list_stems(kind, files))
            around[kind] = frozenset() if kind in _SIDES else frozenset(_list_stems_around(kind, files))
        found = [word for word in words if set(_stem(word)) <= stems[kind]]
        if found:
            near = stems[kind] | around[kind]
            found = [word for word in words if set(_stem(word)) <= near]
        missing = [word for word in words if word not in found]
        text, lines = " ".join(words), _count_lines(kind, files)
        entries.append({"kind": kind, "text": text, "found": found, "missing": missing, "lines": lines})
    return entries


def _count_lines(kind: str, files: Iterable[ChangedFile]) -> int:
    """Count the lines that are put in, or taken out, or for another kind both."""
    sides = [split_changed_lines(file) for file in files]
    gone, come = (sum(len(pair[at]) for pair in sides) for at in (0, 1))
    return {"added": come, "removed": gone}.get(kind, gone + come)


def _list_changed_stems(kind: str, files: Iterable[ChangedFile]) -> Iterator[str]:
    for file in files:
        if kind == _DOCUMENTED:
            if classify(file.path) == "docs":
                yield from (stem for line in split_changed_lines(file)[1] for stem in _stem(line))
        elif classify(file.path) in _KINDS[kind] or kind in _TEXTS_IN_CODE:
            yield from _stem(file.path)
            yield from _stem(_SEPARATORS.sub("", file.path.rpartition("/")[2]))
            for line in list_changed_lines(file):
                yield from _stem_line(line)


def _list_stems_around(kind: str, files: Iterable[ChangedFile]) -> Iterator[str]:
    for file in files:
        if classify(file.path) in _KINDS.get(kind, ()):
            for line in list_lines_around(file):
                yield from _stem_line(line)


def _list_moved_stems(kind: str, files: Iterable[ChangedFile]) -> Iterator[str]:
    """List the stems that more of the lines put in have than of those taken out, or the reverse."""
    gone: Counter[str] = Counter()
    come: Counter[str] = Counter()
    for file in files:
        out, put = split_changed_lines(file)
        gone.update(stem for line in out for stem in _stem(line))
        come.update(stem for line in put for stem in _stem(line))
        if file.before is None or file.after is None:
            (come if file.before is None else gone).update(_stem(file.path))
    yield from (come - gone) if kind == "added" else (gone - come)


@cache
def _load_stemmer() -> Any:
    return Stemmer.Stemmer("english")


def _stem_line(line: str) -> Iterator[str]:
    """List the stems of a line, those of names in camel case also as one word, and that it has a link."""
    yield from _stem(line)
    yield from (_load_stemmer().stemWord(word.lower()) for word in _CAMELS.findall(line))
    if _LINK.search(line) is not None:
        yield "link"


def _stem(text: str) -> list[str]:
    parts = (_CAMEL.sub(" ", part) for part in _WORD.findall(text.replace("_", " ")))
    return [_load_stemmer().stemWord(word.lower()) for part in parts for word in part.split()]
