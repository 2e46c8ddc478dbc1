"""Universal statements about a part: what holds of the whole holds of each part of it.

"All unit tests pass" follows from tests of which all pass and none is skipped. Where the whole doesn't hold, nothing
follows, and such a statement is open: which of the failures belong to the part no fact says. Only words count that name
a part of what runs here: tests on Windows, or those of a browser, may be others.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from msgspec.structs import replace

from verigate.domain.statement_reading import Relation, StatedFact
from verigate.statements.tokenizer import Token

_PARTS = {
    "tests": frozenset(
        {"unit", "functional", "regression", "backend", "back-end", "frontend", "front-end", "component"}
    ),
    "error": frozenset({"new"}),
    "warning": frozenset({"new"}),
    "finding": frozenset({"new"}),
}
"""What has parts, by its form -> the words for them that stand right before it."""

_EVERY = frozenset({"all", "no", "none"})
_ARTIFACTS = frozenset({"tests.json", "lint.json"})


def split_part(tokens: Sequence[Token]) -> tuple[list[Token], str] | None:
    """Split a universal clause into what it says of the whole, and the word for the part; None if it isn't one."""
    if _EVERY.isdisjoint(token.form for token in tokens):
        return None
    for index, (token, following) in enumerate(itertools.pairwise(tokens)):
        if token.raw.lower() in _PARTS.get(following.form, ()):
            return [*tokens[:index], *tokens[index + 1 :]], token.raw
    return None


def limit_facts(facts: Sequence[StatedFact], part: str) -> tuple[StatedFact, ...]:
    """Return facts of the whole as those of a part; () unless all say that something holds of each, or how many."""
    return tuple(replace(fact, part=part) for fact in facts) if facts and all(map(_is_universal, facts)) else ()


def _is_universal(fact: StatedFact) -> bool:
    if fact.bad or fact.relation is not Relation.EQ or fact.artifact not in _ARTIFACTS:
        return False
    return fact.value == 0 or fact.what in {"/passed", "/total"}
