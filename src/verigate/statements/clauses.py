"""Parse the tokens of a sentence into clauses, each with the facts that it states.

Clauses share a topic: in "Lint: 0 errors, 2 warnings" both counts are of lint; in "tests, lint and build all pass"
one predicate has three subjects. A clause that isn't understood may limit its neighbours, so then none of them states
a fact, unless that clause is a sentence of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from verigate.domain.statement_reading import StatedFact
from verigate.statements.cells_grammar import CELLS, split_fix
from verigate.statements.change_grammar import CHANGES
from verigate.statements.matching import match_grammars, state_of_each
from verigate.statements.segments import ENTITIES, MARKS, TOPICS, Segment, split_segments
from verigate.statements.subjects import BARE, OK, Context
from verigate.statements.tokenizer import Token


class ParsedClause(Struct, frozen=True):
    """A clause and the facts that it states. ``part``: it is about a known topic, and no fact decides it."""

    tokens: tuple[Token, ...]
    facts: tuple[StatedFact, ...] = ()
    part: bool = False


def parse_clauses(found: Sequence[Token]) -> list[ParsedClause]:
    """Parse the tokens of one sentence; return its clauses in order."""
    found_pieces = split_segments(found)
    if (described := _read_described_fix(found_pieces)) is not None:
        return described
    sentence = _Sentence()
    index = 0
    while index < len(found_pieces):
        following = found_pieces[index + 1] if index + 1 < len(found_pieces) else None
        is_last = index + 2 >= len(found_pieces)
        index += sentence.read_segment(found_pieces[index], following, is_last=is_last)
    return sentence.finish(tuple(token for piece in found_pieces for token in piece.tokens))


class _Sentence:
    """The clauses read so far, and whether one that isn't understood may limit the others."""

    def __init__(self) -> None:
        self.clauses: list[ParsedClause] = []
        self.limited = False
        self.about = Context()

    def read_segment(self, piece: Segment, following: Segment | None, *, is_last: bool) -> int:
        """Read a segment, together with the next one where they form one clause; return how many were read.

        ``is_last``: no segment stands after the next one.
        """
        if following is not None and self._read_pair(piece, following, is_last=is_last):
            return 2
        if self.about.topic is None and _NEUTRAL.fullmatch(" ".join(token.form for token in piece.tokens)):
            self.clauses.append(ParsedClause(piece.tokens, (), True))
            colon = following is not None and following.before == ":"
            self.about.granted = colon and piece.tokens[0].form == "all"
            return 1
        if (
            following is not None
            and (tool := _find_trailing_linter(piece, following)) is not None
            and self.about.topic is None
        ):
            self.about.topic = tool
        stated = self.about.read_facts(piece, explained=_is_mark_explained(piece, following))
        if stated is not None and self._is_about_named_file(stated):
            self.clauses.append(ParsedClause(piece.tokens, (), True))
        elif stated is not None:
            self.clauses.append(ParsedClause(piece.tokens, stated))
        elif following is not None and _has_only_entities(following) and self._read_together(piece, following):
            return 2
        elif (cut := _split_purpose(piece.tokens)) is not None:
            self.clauses += cut
        else:
            self.limited = self.limited or not _is_independent(piece, following)
            self.clauses.append(ParsedClause(piece.tokens, (), _has_known_topic(piece.tokens)))
            self.about = Context()
        return 1

    def _is_about_named_file(self, stated: tuple[StatedFact, ...]) -> bool:
        """Whether a fact about all texts refers to the file that an earlier clause named."""
        files = [fact.what for c in self.clauses for fact in c.facts if fact.artifact == "content/wordcount.json"]
        other = any(fact.artifact.startswith("content/") and fact.scope is None for fact in stated)
        return other and any(not what.startswith("/") for what in files)

    def _read_pair(self, piece: Segment, following: Segment, *, is_last: bool) -> bool:
        """Read two segments as one clause, if the second says more of the first; return whether it does."""
        if following.before == ":" and self._read_together(piece, following):
            return True
        if _names_regression_test(piece, following):
            return self._read_together(piece, following)
        if is_last and (stated := _read_added_with_tests(piece, following)):
            self.clauses.append(ParsedClause(piece.tokens + following.tokens, stated))
            return True
        return False

    def _read_together(self, piece: Segment, following: Segment) -> bool:
        whole = piece.tokens + following.tokens
        stated = self.about.state_of_all(piece.tokens, following.tokens) or self.about.find_facts(whole)
        if stated is not None:
            self.clauses.append(ParsedClause(whole, stated))
        return stated is not None

    def finish(self, every: tuple[Token, ...]) -> list[ParsedClause]:
        """Return all clauses; those without facts weren't understood."""
        about, clauses = self.about, self.clauses
        if about.waiting and about.granted and (stated := state_of_each(about.waiting, (OK,))):
            clauses.append(ParsedClause(tuple(about.waiting), stated))
            about.waiting = []
        if self.limited and any(_is_about_changes(clause) for clause in clauses):
            # Facts about changed files and functions hold whatever else is said; facts about test results may not.
            return [
                clause if _is_about_changes(clause) else ParsedClause(clause.tokens, (), True) for clause in clauses
            ]
        if self.limited or not any(clause.facts for clause in clauses):
            return [ParsedClause(every, (), any(clause.facts or clause.part for clause in clauses))]
        said = {fact.artifact for clause in clauses for fact in clause.facts}
        if about.waiting and not about.ran and not said >= {_ARTIFACTS.get(token.form) for token in about.waiting}:
            clauses.append(ParsedClause(tuple(about.waiting), (), True))
        # A clause that only names the topic of the next one states nothing, and doesn't count as unread.
        return [clause for clause in clauses if clause.facts or clause.part or not _has_only_topics(clause.tokens)]


def _read_described_fix(pieces: Sequence[Segment]) -> list[ParsedClause] | None:
    """Read "fixed a bug: the total was rounded down": the rest describes it, and states nothing of its own."""
    if len(pieces) < 2 or pieces[1].before not in _EXPLAINING:
        return None
    facts = CELLS.match_facts(pieces[0].tokens) or ()
    if not facts or any(fact.what != "fixes" and not fact.what.startswith("fixed:") for fact in facts):
        return None
    described = tuple(token for piece in pieces[1:] for token in piece.tokens)
    return [ParsedClause(pieces[0].tokens, facts), ParsedClause(described, (), True)]


def _find_trailing_linter(piece: Segment, following: Segment) -> Token | None:
    """Find the linter of two counts that is named after the second: "0 errors and 2 warnings from ruff"."""
    first, second = (" ".join(token.form for token in each.tokens) for each in (piece, following))
    if _COUNT.fullmatch(first) and (_COUNT_FROM.fullmatch(second)):
        return following.tokens[-1]
    return None


def _is_mark_explained(piece: Segment, following: Segment | None) -> bool:
    """Whether the next segment explains the mark next to a subject: "tests ✅: 12 passed"."""
    if following is None or following.before not in _EXPLAINING:
        return False
    return bool(match_grammars(following.tokens, _find_topic(piece)))


def _names_regression_test(piece: Segment, following: Segment) -> bool:
    """Whether the next segment names the test that this one adds: "added a regression test, `test_x`"."""
    if following.before not in _NAMING or not CELLS.match_facts(piece.tokens):
        return False
    facts = CELLS.match_facts(piece.tokens + following.tokens) or ()
    named = [fact for fact in facts if fact.what.startswith("fix:")]
    return any(fact.what == "regression_tests" for fact in facts) and len(named) == len(following.tokens)


def _read_added_with_tests(piece: Segment, following: Segment) -> tuple[StatedFact, ...]:
    """Return the facts of "added `x()` with tests": those of "added `x()`", and of "added tests for `x()`"."""
    if following.before not in {"and", "with"} or _FORMS_OF_TESTS.fullmatch(_join_forms(following)) is None:
        return ()
    added = CHANGES.match_facts(piece.tokens) or ()
    if not added or any(fact.artifact != "functions.json" or fact.value != "added" for fact in added):
        return ()
    names = [token for token in piece.tokens if token.form in {"call", "ident"}]
    tested = CELLS.match_facts([_CREATE, _TESTS, _FOR, *names])
    return (*added, *tested) if names and tested else ()


def _join_forms(piece: Segment) -> str:
    return " ".join(token.form for token in piece.tokens)


def _has_only_entities(piece: Segment) -> bool:
    return all(token.form in ENTITIES for token in piece.tokens)


_NAMING = frozenset({",", "(", "\u2014", "\u2013", "-", "--"})
_CREATE, _TESTS, _FOR = (Token(form, None, form) for form in ("create", "tests", "for"))
_FORMS_OF_TESTS = re.compile(r"(?:new )?tests(?: for)?")
_COUNT = re.compile(r"(?:num|no) (?:error|warning|finding)")
_COUNT_FROM = re.compile(rf"{_COUNT.pattern} (?:from|by) lint")
_ARTIFACTS = {
    "tests": "tests.json",
    "suites": "tests.json",
    "types": "build.json",
    "lint": "lint.json",
    "build": "build.json",
    "cov": "coverage.json",
}
_NEUTRAL = re.compile(r"(?:not )?all(?: ok)+|(?:in )?dur|total")
"""Clauses that state nothing checkable and limit nothing: "everything is green", "in 12 s"."""
_ABOUT_CHANGES = frozenset({"diff_names.json", "functions.json"})


def _is_about_changes(clause: ParsedClause) -> bool:
    return bool(clause.facts) and all(fact.artifact in _ABOUT_CHANGES for fact in clause.facts)


_EXPLAINING = frozenset({":", "\u2014", "\u2013", "-", "--"})


def _find_topic(piece: Segment) -> Token | None:
    return next((token for token in piece.tokens if token.form in TOPICS), None)


def _split_purpose(tokens: Sequence[Token]) -> list[ParsedClause] | None:
    """Split a change from its purpose, which is left unread: "updated `total()` to round correctly"."""
    if (fixed := split_fix(tokens)) is not None and (facts := CELLS.match_facts(fixed[0])):
        return [ParsedClause(tuple(fixed[0]), facts), ParsedClause(tuple(fixed[1]), (), True)]
    for index, token in enumerate(tokens):
        if token.raw.lower() in _PURPOSES and index:
            facts = CHANGES.match_facts(tokens[:index]) or CELLS.match_facts(tokens[:index])
            if facts and tokens[0].form in _DONE:
                return [ParsedClause(tuple(tokens[:index]), facts), ParsedClause(tuple(tokens[index:]), (), True)]
    return None


def _has_only_topics(tokens: Sequence[Token]) -> bool:
    return all(token.form in TOPICS or token.form in BARE or token.form in MARKS for token in tokens)


def _has_known_topic(tokens: Sequence[Token]) -> bool:
    return any(token.form in TOPICS or token.form in {"part", "image", "quote", "suite"} for token in tokens)


_DONE = frozenset({"change", "modify", "create", "delete", "path", "call", "fix", "refactor"})
"""What a change begins with that says what was done, before its purpose or how it looks now."""

_PURPOSES = frozenset({"to", "into", "for", "so", "by", "which", "because", "as", "where"})


_INCLUDING = re.compile(
    r"(?:including|incl)(?: (?:all|new|\d+|one|two|three|four|five|six|ones|tests|added|existing|newly))*"
)
_FINITE = frozenset({"is", "are", "was", "were", "has", "have", "now"})
_BEGINNINGS = frozenset({"i", "we", "i've", "we've", "the", "this", "it", "that", "both", "a", "an", "there"})
_LIMITING = frozenset({"skip", "bad", "dead", "not", "no", "none", "only", "some", "delete", "part", *TOPICS})
_LIMITING_WORDS = frozenset(
    {"them", "ones", "those", "these", "rest", "others", "which", "who", "where", "mocked", "stubbed"}
)
_AND = frozenset({"and", ";", "\u2014", "\u2013", ".", "!", "-", "--", "but"})


def _is_independent(piece: Segment, following: Segment | None) -> bool:
    """Whether a clause that isn't understood is a sentence of its own, and so can't limit its neighbours."""
    words = [token.raw.lower() for token in piece.tokens]
    if _INCLUDING.fullmatch(" ".join(words)):
        return True
    if any(token.form in _LIMITING for token in piece.tokens) or not _LIMITING_WORDS.isdisjoint(words):
        return False
    if piece.begins in _DEEDS and piece.before == "," and following is not None and following.before in _LISTING:
        return True
    verb = any(word.endswith(("ed", "es", "s")) or word in _FINITE for word in words)
    if piece.before == "" and following is not None and following.before == ",":
        return piece.begins in _DEEDS
    if piece.before == "" and following is not None:
        return following.before in _AND and verb and piece.begins not in _PREPOSITIONS
    return piece.before in _AND and verb and piece.begins in _BEGINNINGS


_DEEDS = frozenset(
    {"added", "implemented", "fixed", "updated", "refactored", "removed", "created", "renamed", "moved", "replaced"}
)
_LISTING = frozenset({",", "and"})
_PREPOSITIONS = frozenset(
    {"in", "for", "on", "with", "under", "using", "after", "by", "from", "without", "at", "as", "of", "within"}
)
