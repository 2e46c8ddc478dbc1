"""Parse the tokens of a sentence into clauses, each with the facts that it states.

Clauses share a topic: in "Lint: 0 errors, 2 warnings" both counts are of lint; in "tests, lint and build all pass"
one predicate has three subjects. A clause that isn't understood may limit its neighbours, so then none of them states
a fact, unless that clause is a sentence of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.statement_reading import StatedFact
from verigate.statements.api_grammar import API
from verigate.statements.cells_grammar import CELLS, split_fix
from verigate.statements.change_grammar import CHANGES
from verigate.statements.code_grammar import BUILD, COVERAGE, LINT, TYPES
from verigate.statements.content_grammar import CONTENT
from verigate.statements.grammar import CompiledGrammar
from verigate.statements.links_grammar import LINKS
from verigate.statements.parts import limit_facts, split_part
from verigate.statements.segments import ENTITIES, MARKS, TOPICS, Segment, is_mark, split_segments
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
_BARE = frozenset({"all", "run", "step", "status", "total", "in", "check"})
"""Words that may accompany a topic that is named without a predicate."""

_STATED_WORDS = frozenset({"pass", "passed", "passes", "passing", "fail", "failed", "failing", "failures", "skipped"})


class ParsedClause(Struct, frozen=True):
    """A clause and the facts that it states. ``part``: it is about a part of a known topic, which no fact decides."""

    tokens: tuple[Token, ...]
    facts: tuple[StatedFact, ...] = ()
    part: bool = False


def parse_clauses(found: Sequence[Token]) -> list[ParsedClause]:
    """Parse the tokens of one sentence; return its clauses in order."""
    found_pieces = split_segments(found)
    sentence = _Sentence()
    index = 0
    while index < len(found_pieces):
        following = found_pieces[index + 1] if index + 1 < len(found_pieces) else None
        index += sentence.read_segment(found_pieces[index], following)
    return sentence.finish(tuple(token for piece in found_pieces for token in piece.tokens))


class _Sentence:
    """The clauses read so far, and whether one that isn't understood may limit the others."""

    def __init__(self) -> None:
        self.clauses: list[ParsedClause] = []
        self.limited = False
        self.about = _Context()

    def read_segment(self, piece: Segment, following: Segment | None) -> int:
        """Read a segment, together with the next one where they form one clause; return how many were read."""
        if following is not None and following.before == ":" and self._read_together(piece, following):
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
            self.about = _Context()
        return 1

    def _is_about_named_file(self, stated: tuple[StatedFact, ...]) -> bool:
        """Whether a fact about all texts refers to the file that an earlier clause named."""
        files = [fact.what for c in self.clauses for fact in c.facts if fact.artifact == "content/wordcount.json"]
        other = any(fact.artifact.startswith("content/") and fact.scope is None for fact in stated)
        return other and any(not what.startswith("/") for what in files)

    def _read_together(self, piece: Segment, following: Segment) -> bool:
        whole = piece.tokens + following.tokens
        stated = self.about.state_of_all(piece.tokens, following.tokens) or self.about.find_facts(whole)
        if stated is not None:
            self.clauses.append(ParsedClause(whole, stated))
        return stated is not None

    def finish(self, every: tuple[Token, ...]) -> list[ParsedClause]:
        """Return all clauses; those without facts weren't understood."""
        about, clauses = self.about, self.clauses
        if about.waiting and about.granted and (stated := _state_of_each(about.waiting, (_OK,))):
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
    return bool(_match_grammars(following.tokens, _find_topic(piece)))


def _has_only_entities(piece: Segment) -> bool:
    return all(token.form in ENTITIES for token in piece.tokens)


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
            if facts and tokens[0].form in {"change", "modify", "create", "delete", "path", "call", "fix"}:
                return [ParsedClause(tuple(tokens[:index]), facts), ParsedClause(tuple(tokens[index:]), (), True)]
    return None


def _has_only_topics(tokens: Sequence[Token]) -> bool:
    return all(token.form in TOPICS or token.form in _BARE or token.form in MARKS for token in tokens)


def _has_known_topic(tokens: Sequence[Token]) -> bool:
    return any(token.form in TOPICS or token.form in {"part", "image", "quote", "suite"} for token in tokens)


_PURPOSES = frozenset({"to", "for", "so", "by", "which", "because", "as", "where"})


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
    verb = any(word.endswith(("ed", "es", "s")) or word in _FINITE for word in words)
    if piece.before == "" and following is not None and following.before == ",":
        return piece.begins in _DEEDS
    if piece.before == "" and following is not None:
        return following.before in _AND and verb and piece.begins not in _PREPOSITIONS
    return piece.before in _AND and verb and piece.begins in _BEGINNINGS


_DEEDS = frozenset({"added", "implemented", "fixed", "updated", "refactored", "removed", "created"})
_PREPOSITIONS = frozenset(
    {"in", "for", "on", "with", "under", "using", "after", "by", "from", "without", "at", "as", "of", "within"}
)


class _Context:
    """The topic of the clauses read so far, and the subjects that wait for a predicate."""

    def __init__(self) -> None:
        self.topic: Token | None = None
        self.waiting: list[Token] = []
        self.predicate: tuple[Token, ...] = ()
        self.ran = False
        self.granted = False

    def read_facts(self, piece: Segment, *, explained: bool) -> tuple[StatedFact, ...] | None:
        """Return the facts of a segment: empty if it only names a subject, None if it isn't understood.

        ``explained``: the next segment explains the mark next to the subject.
        """
        tokens, marks = _separate_marks(piece.tokens)
        if not tokens:
            return self._apply_marks(marks)
        subject = _find_subject(tokens)
        if subject is not None:
            return self._read_subject(subject, tokens, marks, explained=explained)
        facts = self.find_facts(tokens)
        if facts is None:
            return None
        if marks and any(mark.form == "good" for mark in marks) and any(fact.bad for fact in facts):
            return None
        if any(mark.form == "bad" for mark in marks) and not any(fact.bad for fact in facts):
            return None
        return facts

    def _apply_marks(self, marks: Sequence[Token]) -> tuple[StatedFact, ...] | None:
        if not marks or len({mark.form for mark in marks}) > 1:
            return None if marks else ()
        subjects = self.waiting or ([self.topic] if self.topic else [])
        self.waiting = []
        return _state_of_each(subjects, (_predicate_from_mark(marks[0]),)) if subjects else ()

    def _read_subject(
        self, subject: Token, tokens: Sequence[Token], marks: Sequence[Token], *, explained: bool
    ) -> tuple[StatedFact, ...] | None:
        if subject.form == "so":
            return _state_of_each([tokens[-1]], self.predicate or (_OK,))
        self.topic = subject
        ran = any(token.form == "run" for token in tokens)
        if marks and not explained:
            if len({mark.form for mark in marks}) > 1:
                return None
            return _state_of_each([*self._take_waiting(), subject], (_predicate_from_mark(marks[0]),))
        self.ran = self.ran or ran
        self.waiting.append(subject)
        return ()

    def _take_waiting(self) -> list[Token]:
        taken, self.waiting = self.waiting, []
        return taken

    def state_of_all(self, last: Sequence[Token], predicate: Sequence[Token]) -> tuple[StatedFact, ...] | None:
        """Apply what stands after a colon to all subjects before it: "I ran the tests and lint: all green"."""
        subject = _find_subject(last) if self.waiting else None
        if subject is None or subject.form == "so":
            return None
        stated = self._apply_to([*self.waiting, subject], predicate)
        if stated is not None:
            self.waiting = []
        return stated

    def find_facts(self, tokens: Sequence[Token]) -> tuple[StatedFact, ...] | None:
        """Return the facts that a clause states of the waiting subjects, on its own, or of the previous topic."""
        waiting = self.waiting
        if waiting and (made := self._apply_predicate(tokens)) is not None:
            self.waiting = []
            return made
        facts = _match_grammars(tokens, self.topic)
        if facts is not None:
            named = next((token for token in tokens if token.form in TOPICS), None)
            if named is not None:
                self.topic = named if named.form != "path" else self.topic
                self.predicate = tuple(token for token in tokens if token.form in {"ok", "bad", "dead"})
            elif self.topic is None and any(token.raw.lower() in _STATED_WORDS for token in tokens):
                self.topic = Token("tests", None, "tests")
        return facts

    def _apply_predicate(self, tokens: Sequence[Token]) -> tuple[StatedFact, ...] | None:
        """Apply a predicate to all waiting subjects; the last subject may be part of it ("tests and lint pass")."""
        last = tokens[0] if tokens[0].form in TOPICS else None
        if last is not None and self.ran:
            # "I ran the tests and lint is clean" states nothing about the tests.
            self.waiting, self.ran = [], False
            return None
        rest = tuple(tokens[1:]) if last is not None else tuple(tokens)
        subjects = [*self.waiting, last] if last is not None else list(self.waiting)
        if (stated := self._apply_to(subjects, rest)) is not None:
            return stated
        if len(self.waiting) == 1 and last is None:
            stated = _match_grammars([self.waiting[0], *tokens], None)
            if stated:
                return stated
        if last is None and not self.ran and _COUNTED.fullmatch(" ".join(token.form for token in tokens)):
            # "Lint and all 93 tests pass"
            own, others = _match_grammars(tokens, None), _state_of_each(self.waiting, (_OK,))
            return (*others, *own) if own and others else None
        return None

    def _apply_to(self, subjects: Sequence[Token], predicate: Sequence[Token]) -> tuple[StatedFact, ...] | None:
        stated = tuple(token for token in predicate if token.form != "all")
        if not stated or not all(token.form in {"ok", "bad", "dead"} for token in stated):
            return None
        self.topic = subjects[-1]
        return _state_of_each(subjects, stated)


_OK = Token("ok", "ok", "ok")
_COUNTED = re.compile(r"all (?:num )?tests (?:all )?ok(?: ok)*")


def _predicate_from_mark(mark: Token) -> Token:
    word = "ok" if mark.form == "good" else "bad"
    return Token(word, word, word)


def _separate_marks(tokens: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    counted: list[Token] = []
    for token in tokens:
        counted.append(
            _predicate_from_mark(token) if is_mark(token) and counted and counted[-1].form == "num" else token
        )
    marks = [token for token in counted if is_mark(token)]
    return [token for token in counted if token not in marks], marks


def _find_subject(tokens: Sequence[Token]) -> Token | None:
    """Find the topic of a clause without a predicate; ``so`` where it repeats the last one ("and so is lint")."""
    if len(tokens) == 2 and tokens[0].form == "so" and tokens[1].form in TOPICS:
        return tokens[0]
    named = [token for token in tokens if token.form in TOPICS]
    if len(named) == 1 and all(token.form in _BARE or token is named[0] for token in tokens):
        return named[0]
    return None


def _state_of_each(subjects: Sequence[Token], predicate: Sequence[Token]) -> tuple[StatedFact, ...] | None:
    made: list[StatedFact] = []
    for subject in subjects:
        facts = _match_grammars([subject, *predicate], None)
        if not facts:
            return None
        made += facts
    return tuple(made)


def _match_grammars(tokens: Sequence[Token], topic: Token | None) -> tuple[StatedFact, ...] | None:
    """Match a clause against the grammar of ``topic``, then against all; return the facts of the first match."""
    if topic is not None and topic.part is not None and not any(token.form in TOPICS for token in tokens):
        return limit_facts(_match_grammars(tokens, replace(topic, part=None)) or (), topic.part) or None
    if any(token.part is not None for token in tokens):
        return _match_part(tokens, topic)
    tried: list[tuple[CompiledGrammar, Sequence[Token]]] = []
    if topic is not None and not any(token.form in TOPICS and token.form != "path" for token in tokens):
        tried += [(_OF_TOPIC[topic.form], [topic, *tokens])]
    tried += [(grammar, tokens) for grammar in _GRAMMARS]
    counted = tokens[0].form in {"num", "no", "none", "ratio"} and tokens[-1].raw.lower() in _STATED_WORDS
    if topic is None and counted:
        tried.append((TESTS, [Token("tests", None, "tests"), *tokens]))
    for grammar, forms in tried:
        facts = grammar.match_facts(forms)
        if facts:
            return facts
    plain = _drop_manner(tokens)
    if plain and len(plain) < len(tokens):
        return _match_grammars(plain, topic)
    last = tokens[-1]
    if len(tokens) > 1 and last.tool is not None and any(token.form == last.form for token in tokens[:-1]):
        # "All 14 tests pass via vitest"
        facts = _match_grammars(tokens[:-1], topic)
        return tuple(replace(fact, tool=last.tool) for fact in facts) if facts else None
    return _match_part(tokens, topic)


def _match_part(tokens: Sequence[Token], topic: Token | None) -> tuple[StatedFact, ...] | None:
    limited = split_part(tokens)
    if limited is None:
        return None
    return limit_facts(_match_grammars(limited[0], topic) or (), limited[1]) or None


_HOW = frozenset({"successfully", "cleanly", "correctly", "properly"})


def _drop_manner(tokens: Sequence[Token]) -> list[Token]:
    """Drop adverbs of manner and durations, which limit nothing."""
    kept = [token for token in tokens if token.raw.lower() not in _HOW and token.form != "total"]
    if len(kept) > 2 and kept[-1].form == "dur" and kept[-2].form == "in":
        kept = kept[:-2]
    return kept
