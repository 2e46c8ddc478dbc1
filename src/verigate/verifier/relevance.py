"""Select the parts of the evidence to show if not all fit: those that share words with the questions."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from verigate.verifier.evidence_parts import EvidencePart

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SHORTEST = 3


def split_words(text: str) -> frozenset[str]:
    """Split a text into words and the parts of its identifiers (``readError``, ``read_error``), in lower case."""
    found = (part for word in _WORD.findall(text) for part in (word, *_CAMEL.split(word)))
    return frozenset(word.casefold() for word in found if len(word) >= _SHORTEST)


def select_relevant(pieces: Sequence[EvidencePart], questions: Iterable[str], budget: int) -> tuple[EvidencePart, ...]:
    """Select the parts that share the rarest words with the questions, as many as fit into ``budget`` characters.

    The order is kept. Of equal parts the first are selected, so that the same evidence is shown each time. Half of the
    room is reserved for the patch: a change is evidence whatever its words.
    """
    asked = split_words(" ".join(questions))
    words = [split_words(" ".join(piece.lines)) & asked for piece in pieces]
    spread = Counter(word for found in words for word in found)
    worth = [sum(math.log1p(len(pieces) / spread[word]) for word in sorted(found)) for found in words]
    ranked = sorted(range(len(pieces)), key=lambda index: (-worth[index], index))
    chosen = _fitting((index for index in ranked if pieces[index].kind == "patch"), pieces, budget // 2)
    rest = budget - sum(pieces[index].size for index in chosen)
    chosen |= _fitting((index for index in ranked if index not in chosen), pieces, rest)
    return tuple(pieces[index] for index in sorted(chosen))


def _fitting(ranked: Iterable[int], pieces: Sequence[EvidencePart], room: int) -> set[int]:
    chosen: set[int] = set()
    for index in ranked:
        if pieces[index].size <= room:
            chosen.add(index)
            room -= pieces[index].size
    return chosen
