"""Reduce the words of a sentence, or of a test's name, to stems by which they are compared."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import Stemmer

from verigate.statements.commits.vocabulary import split_words
from verigate.statements.lexicon import NUMBERS

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\W]+")
_UNTELLING = split_words("""
    a an the of for in on to with and or by from at as is are be it its this that these those all some any old new we
    test tests testing case cases spec specs should it's which were was our unused flaky broken slow
    """)


def stem_words(text: str) -> frozenset[str]:
    """Return the stems of the words that tell something, without numbers."""
    words = (word.lower() for word in _CAMEL.split(text))
    kept = (word for word in words if word and word not in _UNTELLING and word not in NUMBERS and not word.isdigit())
    return frozenset(_load_stemmer().stemWord(word) for word in kept)


@cache
def _load_stemmer() -> Any:
    return Stemmer.Stemmer("english")
