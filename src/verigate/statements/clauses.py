"""The tokens of a sentence as clauses, each with the facts that it states.

Clauses share what they are about: in "Lint: 0 errors, 2 warnings" both counts are of lint, in "tests, lint and build
all pass" one predicate is of three. Where a clause isn't understood it may limit its neighbours, and then they state
nothing either; only one that stands for itself doesn't.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from verigate.domain.reading import Fact
from verigate.statements.api_grammar import API
from verigate.statements.change_grammar import CHANGES
from verigate.statements.code_grammar import BUILD, COVERAGE, LINT
from verigate.statements.content_grammar import CONTENT
from verigate.statements.links_grammar import LINKS
from verigate.statements.matching import Compiled
from verigate.statements.pieces import ENTITIES, MARKS, TOPICS, Piece, is_mark, pieces
from verigate.statements.tests_grammar import TESTS
from verigate.statements.words import Token

_GRAMMARS = (TESTS, LINT, BUILD, COVERAGE, CHANGES, LINKS, API, CONTENT)
_OF_TOPIC = {grammar.topic: grammar for grammar in _GRAMMARS} | {"image": CONTENT, "quote": CONTENT, "path": CHANGES}
_BARE = frozenset({"all", "run", "step", "status", "total", "in", "check"})
"""What may stand beside a topic that is only named."""

_STATED_WORDS = frozenset({"pass", "passed", "passes", "passing", "fail", "failed", "failing", "failures", "skipped"})


class Parsed(Struct, frozen=True):
    """A clause and what it states; ``part``: it is about something that facts know, but not about all of it."""

    tokens: tuple[Token, ...]
    facts: tuple[Fact, ...] = ()
    part: bool = False


def parse(found: Sequence[Token]) -> list[Parsed]:
    """The clauses of one sentence, in order."""
    found_pieces = pieces(found)
    sentence = _Sentence()
    index = 0
    while index < len(found_pieces):
        following = found_pieces[index + 1] if index + 1 < len(found_pieces) else None
        index += sentence.take(found_pieces[index], following)
    return sentence.ended(tuple(token for piece in found_pieces for token in piece.tokens))


class _Sentence:
    """The clauses so far, and whether one that isn't understood may limit the others."""

    def __init__(self) -> None:
        self.clauses: list[Parsed] = []
        self.limited = False
        self.about = _About()

    def take(self, piece: Piece, following: Piece | None) -> int:
        """Read a piece, with the one that follows where they say one thing; how many were read."""
        if following is not None and following.before == ":" and self._whole(piece, following):
            return 2
        if self.about.topic is None and _NEUTRAL.fullmatch(" ".join(token.form for token in piece.tokens)):
            self.clauses.append(Parsed(piece.tokens, (), True))
            colon = following is not None and following.before == ":"
            self.about.granted = colon and piece.tokens[0].form == "all"
            return 1
        if following is not None and (tool := _told_after(piece, following)) is not None and self.about.topic is None:
            self.about.topic = tool
        stated = self.about.state(piece, explained=_explained(piece, following))
        if stated is not None and self._of_one_file(stated):
            self.clauses.append(Parsed(piece.tokens, (), True))
        elif stated is not None:
            self.clauses.append(Parsed(piece.tokens, stated))
        elif following is not None and _only_names(following) and self._whole(piece, following):
            return 2
        elif (cut := _purpose(piece.tokens)) is not None:
            self.clauses += cut
        else:
            self.limited = self.limited or not _stands_alone(piece, following)
            self.clauses.append(Parsed(piece.tokens, (), _known(piece.tokens)))
            self.about = _About()
        return 1

    def _of_one_file(self, stated: tuple[Fact, ...]) -> bool:
        """Whether what is told of all texts is meant of the file that an earlier clause named."""
        files = [fact.what for c in self.clauses for fact in c.facts if fact.artifact == "content/wordcount.json"]
        other = any(fact.artifact.startswith("content/") and fact.scope is None for fact in stated)
        return other and any(not what.startswith("/") for what in files)

    def _whole(self, piece: Piece, following: Piece) -> bool:
        whole = piece.tokens + following.tokens
        stated = self.about.facts(whole)
        if stated is not None:
            self.clauses.append(Parsed(whole, stated))
        return stated is not None

    def ended(self, every: tuple[Token, ...]) -> list[Parsed]:
        """The clauses that count, and those that nobody can read."""
        about, clauses = self.about, self.clauses
        if about.waiting and about.granted and (stated := _each(about.waiting, (_OK,))):
            clauses.append(Parsed(tuple(about.waiting), stated))
            about.waiting = []
        if self.limited and any(_is_of_changes(clause) for clause in clauses):
            # That a file or a function was changed isn't limited by what else is said; how tests went may be.
            return [clause if _is_of_changes(clause) else Parsed(clause.tokens, (), True) for clause in clauses]
        if self.limited or not any(clause.facts for clause in clauses):
            return [Parsed(every, (), any(clause.facts or clause.part for clause in clauses))]
        said = {fact.artifact for clause in clauses for fact in clause.facts}
        if about.waiting and not about.ran and not said >= {_ARTIFACTS.get(token.form) for token in about.waiting}:
            clauses.append(Parsed(tuple(about.waiting), (), True))
        # What only names what the next clause is about states nothing by itself, and is no clause that is left unread.
        return [clause for clause in clauses if clause.facts or clause.part or not _names(clause.tokens)]


def _told_after(piece: Piece, following: Piece) -> Token | None:
    """The linter of two counts that is named after the second: "0 errors and 2 warnings from ruff"."""
    first, second = (" ".join(token.form for token in each.tokens) for each in (piece, following))
    if _COUNT.fullmatch(first) and (_COUNT_FROM.fullmatch(second)):
        return following.tokens[-1]
    return None


def _explained(piece: Piece, following: Piece | None) -> bool:
    """Whether what follows says what a mark beside a subject stands for."""
    if following is None or following.before not in _EXPLAINING:
        return False
    return bool(_facts_of(following.tokens, _topic(piece)))


def _only_names(piece: Piece) -> bool:
    return all(token.form in ENTITIES for token in piece.tokens)


_COUNT = re.compile(r"(?:num|no) (?:error|warning|finding)")
_COUNT_FROM = re.compile(rf"{_COUNT.pattern} (?:from|by) lint")
_ARTIFACTS = {"tests": "tests.json", "lint": "lint.json", "build": "build.json", "cov": "coverage.json"}
_NEUTRAL = re.compile(r"(?:not )?all(?: ok)+|(?:in )?dur|total")
"""What says nothing that could be checked, and limits nothing: "everything is green", "in 12 s"."""
_ABOUT_CHANGES = frozenset({"diff_names.json", "functions.json"})


def _is_of_changes(clause: Parsed) -> bool:
    return bool(clause.facts) and all(fact.artifact in _ABOUT_CHANGES for fact in clause.facts)


_EXPLAINING = frozenset({":", "\u2014", "\u2013", "-", "--"})


def _topic(piece: Piece) -> Token | None:
    return next((token for token in piece.tokens if token.form in TOPICS), None)


def _purpose(tokens: Sequence[Token]) -> list[Parsed] | None:
    """A change and, as a clause that nobody reads, what it is for: "updated `total()` to round correctly"."""
    for index, token in enumerate(tokens):
        if token.raw.lower() in _PURPOSES and index:
            facts = CHANGES.facts(tokens[:index])
            if facts and tokens[0].form in {"change", "modify", "create", "delete", "path", "call"}:
                return [Parsed(tuple(tokens[:index]), facts), Parsed(tuple(tokens[index:]), (), True)]
    return None


def _names(tokens: Sequence[Token]) -> bool:
    return all(token.form in TOPICS or token.form in _BARE or token.form in MARKS for token in tokens)


def _known(tokens: Sequence[Token]) -> bool:
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


def _stands_alone(piece: Piece, following: Piece | None) -> bool:
    """Whether a clause that isn't understood is a sentence of its own, and can't limit what stands beside it."""
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


class _About:
    """What the clauses so far are about, and the subjects that wait for a predicate."""

    def __init__(self) -> None:
        self.topic: Token | None = None
        self.waiting: list[Token] = []
        self.predicate: tuple[Token, ...] = ()
        self.ran = False
        self.granted = False

    def state(self, piece: Piece, *, explained: bool) -> tuple[Fact, ...] | None:
        """The facts of a piece; empty where it only names a subject, None where it isn't understood.

        ``explained``: what follows says what a mark beside the subject stands for.
        """
        tokens, marks = _without_marks(piece.tokens)
        if not tokens:
            return self._of_marks(marks)
        subject = _subject(tokens)
        if subject is not None:
            return self._named(subject, tokens, marks, explained=explained)
        facts = self.facts(tokens)
        if facts is None:
            return None
        if marks and any(mark.form == "good" for mark in marks) and any(fact.bad for fact in facts):
            return None
        if any(mark.form == "bad" for mark in marks) and not any(fact.bad for fact in facts):
            return None
        return facts

    def _of_marks(self, marks: Sequence[Token]) -> tuple[Fact, ...] | None:
        if not marks or len({mark.form for mark in marks}) > 1:
            return None if marks else ()
        subjects = self.waiting or ([self.topic] if self.topic else [])
        self.waiting = []
        return _each(subjects, (_as_predicate(marks[0]),)) if subjects else ()

    def _named(
        self, subject: Token, tokens: Sequence[Token], marks: Sequence[Token], *, explained: bool
    ) -> tuple[Fact, ...] | None:
        if subject.form == "so":
            return _each([tokens[-1]], self.predicate or (_OK,))
        self.topic = subject
        ran = any(token.form == "run" for token in tokens)
        if marks and not explained:
            if len({mark.form for mark in marks}) > 1:
                return None
            return _each([*self._taken(), subject], (_as_predicate(marks[0]),))
        self.ran = self.ran or ran
        self.waiting.append(subject)
        return ()

    def _taken(self) -> list[Token]:
        taken, self.waiting = self.waiting, []
        return taken

    def facts(self, tokens: Sequence[Token]) -> tuple[Fact, ...] | None:
        """What a clause states, by itself, of what waits, or of what the clause before was about."""
        waiting = self.waiting
        if waiting and (made := self._of_waiting(tokens)) is not None:
            self.waiting = []
            return made
        facts = _facts_of(tokens, self.topic)
        if facts is not None:
            named = next((token for token in tokens if token.form in TOPICS), None)
            if named is not None:
                self.topic = named if named.form != "path" else self.topic
                self.predicate = tuple(token for token in tokens if token.form in {"ok", "bad", "dead"})
            elif self.topic is None and any(token.raw.lower() in _STATED_WORDS for token in tokens):
                self.topic = Token("tests", None, "tests")
        return facts

    def _of_waiting(self, tokens: Sequence[Token]) -> tuple[Fact, ...] | None:
        """The predicate of all that waits; the last of them may stand with it ("tests and lint pass")."""
        last = tokens[0] if tokens[0].form in TOPICS else None
        if last is not None and self.ran:
            # "I ran the tests and lint is clean" says nothing of the tests.
            self.waiting, self.ran = [], False
            return None
        rest = tuple(tokens[1:]) if last is not None else tuple(tokens)
        subjects = [*self.waiting, last] if last is not None else list(self.waiting)
        if (
            rest
            and all(token.form in {"ok", "all", "bad", "dead"} for token in rest)
            and any(t.form != "all" for t in rest)
        ):
            self.topic = subjects[-1]
            return _each(subjects, tuple(token for token in rest if token.form != "all"))
        if len(self.waiting) == 1 and last is None:
            return _facts_of([self.waiting[0], *tokens], None) or None
        return None


_OK = Token("ok", "ok", "ok")


def _as_predicate(mark: Token) -> Token:
    word = "ok" if mark.form == "good" else "bad"
    return Token(word, word, word)


def _without_marks(tokens: Sequence[Token]) -> tuple[list[Token], list[Token]]:
    counted: list[Token] = []
    for token in tokens:
        counted.append(_as_predicate(token) if is_mark(token) and counted and counted[-1].form == "num" else token)
    marks = [token for token in counted if is_mark(token)]
    return [token for token in counted if token not in marks], marks


def _subject(tokens: Sequence[Token]) -> Token | None:
    """The topic that a clause only names, with ``so`` before it where a predicate is repeated."""
    if len(tokens) == 2 and tokens[0].form == "so" and tokens[1].form in TOPICS:
        return tokens[0]
    named = [token for token in tokens if token.form in TOPICS]
    if len(named) == 1 and all(token.form in _BARE or token is named[0] for token in tokens):
        return named[0]
    return None


def _each(subjects: Sequence[Token], predicate: Sequence[Token]) -> tuple[Fact, ...] | None:
    made: list[Fact] = []
    for subject in subjects:
        facts = _facts_of([subject, *predicate], None)
        if not facts:
            return None
        made += facts
    return tuple(made)


def _facts_of(tokens: Sequence[Token], topic: Token | None) -> tuple[Fact, ...] | None:
    """What a clause states by itself, or else of ``topic``."""
    tried: list[tuple[Compiled, Sequence[Token]]] = []
    if topic is not None and not any(token.form in TOPICS and token.form != "path" for token in tokens):
        tried += [(_OF_TOPIC[topic.form], [topic, *tokens])]
    tried += [(grammar, tokens) for grammar in _GRAMMARS]
    counted = tokens[0].form in {"num", "no", "none", "ratio"} and tokens[-1].raw.lower() in _STATED_WORDS
    if topic is None and counted:
        tried.append((TESTS, [Token("tests", None, "tests"), *tokens]))
    for grammar, forms in tried:
        facts = grammar.facts(forms)
        if facts:
            return facts
    plain = _without_how(tokens)
    return _facts_of(plain, topic) if plain and len(plain) < len(tokens) else None


_HOW = frozenset({"successfully", "cleanly", "correctly", "properly"})


def _without_how(tokens: Sequence[Token]) -> list[Token]:
    """A clause without what says how it was and how long it took."""
    kept = [token for token in tokens if token.raw.lower() not in _HOW and token.form != "total"]
    if len(kept) > 2 and kept[-1].form == "dur" and kept[-2].form == "in":
        kept = kept[:-2]
    return kept
