"""Match the tokens of one clause with the grammars of all topics."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from verigate.domain.statement_reading import StatedFact
from verigate.statements.api_grammar import API
from verigate.statements.cells_grammar import CELLS
from verigate.statements.change_grammar import CHANGES
from verigate.statements.code_grammar import BUILD, COVERAGE, LINT, TYPES
from verigate.statements.content_grammar import CONTENT
from verigate.statements.grammar import CompiledGrammar
from verigate.statements.links_grammar import LINKS
from verigate.statements.parts import limit_facts, split_part
from verigate.statements.segments import TOPICS
from verigate.statements.tests_grammar import TESTS
from verigate.statements.tokenizer import Token

_GRAMMARS = (TESTS, LINT, BUILD, TYPES, COVERAGE, CHANGES, LINKS, API, CONTENT, CELLS)
_OF_TOPIC = {
    **{grammar.topic: grammar for grammar in _GRAMMARS},
    "suites": TESTS,
    "image": CONTENT,
    "quote": CONTENT,
    "path": CHANGES,
}
STATED_WORDS = frozenset({"pass", "passed", "passes", "passing", "fail", "failed", "failing", "failures", "skipped"})
"""Words that say how a test ended, so that a count with one of them is of tests."""


def state_of_each(subjects: Sequence[Token], predicate: Sequence[Token]) -> tuple[StatedFact, ...] | None:
    """Return what a predicate states of several subjects; None if it doesn't fit one of them."""
    made: list[StatedFact] = []
    for subject in subjects:
        facts = match_grammars([subject, *predicate], None)
        if not facts:
            return None
        made += facts
    return tuple(made)


def match_grammars(tokens: Sequence[Token], topic: Token | None) -> tuple[StatedFact, ...] | None:
    """Match a clause against the grammar of ``topic``, then against all; return the facts of the first match."""
    if topic is not None and topic.part is not None and not any(token.form in TOPICS for token in tokens):
        return limit_facts(match_grammars(tokens, replace(topic, part=None)) or (), topic.part) or None
    if any(token.part is not None for token in tokens):
        return _match_part(tokens, topic)
    tried: list[tuple[CompiledGrammar, Sequence[Token]]] = []
    if topic is not None and not any(token.form in TOPICS and token.form != "path" for token in tokens):
        tried += [(_OF_TOPIC[topic.form], [topic, *tokens])]
    tried += [(grammar, tokens) for grammar in _GRAMMARS]
    counted = tokens[0].form in {"num", "no", "none", "ratio"} and tokens[-1].raw.lower() in STATED_WORDS
    if topic is None and counted:
        tried.append((TESTS, [Token("tests", None, "tests"), *tokens]))
    for grammar, forms in tried:
        facts = grammar.match_facts(forms)
        if facts:
            return facts
    plain = _drop_manner(tokens)
    if plain and len(plain) < len(tokens):
        return match_grammars(plain, topic)
    last = tokens[-1]
    if len(tokens) > 1 and last.tool is not None and any(token.form == last.form for token in tokens[:-1]):
        # "All 14 tests pass via vitest"
        facts = match_grammars(tokens[:-1], topic)
        return tuple(replace(fact, tool=last.tool) for fact in facts) if facts else None
    return _match_part(tokens, topic)


def _match_part(tokens: Sequence[Token], topic: Token | None) -> tuple[StatedFact, ...] | None:
    limited = split_part(tokens)
    if limited is None:
        return None
    return limit_facts(match_grammars(limited[0], topic) or (), limited[1]) or None


_HOW = frozenset({"successfully", "cleanly", "correctly", "properly"})


def _drop_manner(tokens: Sequence[Token]) -> list[Token]:
    """Drop adverbs of manner and durations, which limit nothing."""
    kept = [token for token in tokens if token.raw.lower() not in _HOW and token.form != "total"]
    if len(kept) > 2 and kept[-1].form == "dur" and kept[-2].form == "in":
        kept = kept[:-2]
    return kept
