"""Which words of a description stand in the changed lines of texts, tests or pipelines, or in their paths.

Words are compared by stem (Porter's stemmer for English, https://snowballstem.org).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import Stemmer

from code_adapter.changes.kinds import classify

if TYPE_CHECKING:
    from code_adapter.syntax.changes import ChangedFile

_WORD = re.compile(r"[^\W\d_]{2,}|\d+(?:\.\d+)+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")
_MOST_BYTES = 1 << 20
_KINDS = {"docs": {"docs"}, "tests": {"test"}, "ci": {"ci", "config"}}
_TEXTS_IN_CODE = {"docs"}
"""Kinds of words that may stand in comments of code, too."""


def find_words(asked: Iterable[tuple[str, Sequence[str]]], files: Sequence[ChangedFile]) -> list[dict[str, Any]]:
    """Return for each kind and its words ``{kind, text, found, missing}``."""
    stems: dict[str, frozenset[str]] = {}
    entries = []
    for kind, words in asked:
        if kind not in stems:
            stems[kind] = frozenset(_list_changed_stems(kind, files))
        found = [word for word in words if set(_stem(word)) <= stems[kind]]
        missing = [word for word in words if word not in found]
        entries.append({"kind": kind, "text": " ".join(words), "found": found, "missing": missing})
    return entries


def _list_changed_stems(kind: str, files: Iterable[ChangedFile]) -> Iterator[str]:
    for file in files:
        if classify(file.path) in _KINDS[kind] or kind in _TEXTS_IN_CODE:
            yield from _stem(file.path)
            for line in _list_changed_lines(file):
                yield from _stem(line)


def _list_changed_lines(file: ChangedFile) -> Iterator[str]:
    sides = [side.content for side in (file.before, file.after) if side is not None]
    if any(content is None or len(content) > _MOST_BYTES or b"\0" in content for content in sides):
        return
    old, new = (
        side.content.decode("utf-8", "replace").splitlines() if side is not None and side.content is not None else []
        for side in (file.before, file.after)
    )
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=len(old) + len(new) > 2000).get_opcodes():
        if tag != "equal":
            yield from old[a:b]
            yield from new[c:d]


@cache
def _load_stemmer() -> Any:
    return Stemmer.Stemmer("english")


def _stem(text: str) -> list[str]:
    parts = (_CAMEL.sub(" ", part) for part in _WORD.findall(text.replace("_", " ")))
    return [_load_stemmer().stemWord(word.lower()) for part in parts for word in part.split()]
