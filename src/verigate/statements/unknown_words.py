"""Find what keeps a clause from being read: a word that limits it to a part, or one that isn't known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from verigate.statements.matching import match_grammars
from verigate.statements.tokenizer import Token

_LONGEST = 40
_OPENING = frozenset({"?", "in", "on", "for", "from", "by"})
"""What a phrase may begin with that limits the words before it."""

_BESIDE_TOPICS = frozenset({"?", "new", "existing"})
_CHANGES = frozenset(
    {"changes.json", "counterfactual.json", "diff.json", "diff_names.json", "functions.json", "sensitivity.json"}
)
"""Artifacts of what a change does, which has no whole of which something is a part."""


def find_unknown(tokens: Sequence[Token]) -> str:
    """Find the first word that isn't known, as it is written; empty where each is."""
    found = next((token.raw for token in tokens if token.form in {"?", "title"}), "")
    return found if len(found) <= _LONGEST else f"{found[:_LONGEST]}…"


def is_about_part(tokens: Sequence[Token]) -> bool:
    """Whether a clause is about a part of the tests, findings, links or the like: without some words it is read."""
    if any(token.part is not None or token.form in {"part", "some"} for token in tokens):
        return True
    return any(_is_result(whole) for whole in _list_wholes(tokens) if whole)


def _is_result(tokens: Sequence[Token]) -> bool:
    facts = match_grammars(tokens, None) or ()
    return bool(facts) and all(fact.artifact not in _CHANGES for fact in facts)


def _list_wholes(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """List what is left of a clause without the words that may limit it."""
    kept = [token for token in tokens if token.form not in _BESIDE_TOPICS]
    if len(kept) < len(tokens):
        yield kept
    openings = [index for index, token in enumerate(tokens) if token.form in _OPENING]
    if openings:
        yield tokens[: openings[0]]
    unknown = [index for index in openings if tokens[index].form == "?"]
    if unknown:
        yield tokens[unknown[-1] + 1 :]
