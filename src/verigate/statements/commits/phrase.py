"""A phrase: a pattern that matches all that a line says, and the facts that it states."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from verigate.domain.statement_reading import StatedFact

CHANGES = "changes.json"
"""The artifact with the facts of commits."""

Facts = Callable[[re.Match[str]], Iterator[StatedFact]]
Phrase = tuple[str, Facts]


def clean(text: str) -> str:
    """Take quotes and the parentheses of a call from a name."""
    return text.strip("`\"' ").removesuffix("()")
