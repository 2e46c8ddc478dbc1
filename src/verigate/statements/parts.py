"""Statements about a part: a kind of tests or findings, or those of a folder or file.

What holds of the whole holds of each part of it: "All unit tests pass" follows from tests of which all pass and none is
skipped. Where a report counts the part, it is looked up there. Otherwise nothing follows where the whole doesn't
hold: which of the failures belong to the part no fact says.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.statement_reading import Relation, StatedFact
from verigate.statements.tokenizer import Token

_PARTS = {
    "tests": frozenset(
        {"unit", "functional", "regression", "backend", "back-end", "frontend", "front-end", "component", "existing"}
    ),
    "error": frozenset({"new"}),
    "warning": frozenset({"new"}),
    "finding": frozenset({"new"}),
}
"""What has parts, by its form -> the words for them that stand right before it."""

_KINDS = frozenset({"integration", "e2e", "end-to-end", "acceptance", "smoke", "system", "api", "contract", "property"})
"""Kinds of tests that often run elsewhere, so that nothing follows for them from the whole."""

_EVERY = frozenset({"all", "no", "none"})
_ARTIFACTS = frozenset({"tests.json", "lint.json"})


class Part(Struct, frozen=True):
    """A part: the word for it, or the folder or file of its tests. ``found``: the report has to count it."""

    name: str = ""
    scope: str | None = None
    found: bool = False


def split_part(tokens: Sequence[Token]) -> tuple[list[Token], Part] | None:
    """Split a clause about a part into what it says of the whole, and the part; None if it isn't one."""
    universal = not _EVERY.isdisjoint(token.form for token in tokens)
    for index, (token, following) in enumerate(itertools.pairwise(tokens)):
        word = token.raw.lower()
        if following.form == "tests" and word in _KINDS:
            return [*tokens[:index], *tokens[index + 1 :]], Part(word, found=True)
        if (universal or following.form == "tests") and word in _PARTS.get(following.form, ()):
            return [*tokens[:index], *tokens[index + 1 :]], Part(word)
    return _split_place(tokens)


def _split_place(tokens: Sequence[Token]) -> tuple[list[Token], Part] | None:
    """Split "tests in PATH" and "PATH tests"."""
    for index, token in enumerate(tokens):
        if token.form != "path" or not str(token.value).strip("./*"):
            continue
        if [each.form for each in tokens[max(0, index - 2) : index]] == ["tests", "in"]:
            return [*tokens[: index - 1], *tokens[index + 1 :]], Part(scope=str(token.value), found=True)
        if index + 1 < len(tokens) and tokens[index + 1].form == "tests":
            return [*tokens[:index], *tokens[index + 1 :]], Part(scope=str(token.value), found=True)
    return None


def limit_facts(facts: Sequence[StatedFact], part: Part) -> tuple[StatedFact, ...]:
    """Return facts of the whole as those of a part; () where they are about something that has no such parts."""
    fitting = _is_about_tests if part.found else _is_universal
    if not facts or not all(map(fitting, facts)):
        return ()
    return tuple(replace(fact, part=part.name, scope=part.scope, looked_up=part.found) for fact in facts)


def _is_about_tests(fact: StatedFact) -> bool:
    return fact.artifact == "tests.json"


def _is_universal(fact: StatedFact) -> bool:
    if fact.bad or fact.relation is not Relation.EQ or fact.artifact not in _ARTIFACTS:
        return False
    return fact.value == 0 or fact.what in {"/passed", "/total"}
