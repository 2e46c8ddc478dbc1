"""The tokens of a sentence as clauses, each with the facts that it states.

Clauses share what they are about: in "Lint: 0 errors, 2 warnings" both counts are of lint, in "tests, lint and build
all pass" one predicate is of three. Where a clause isn't understood it may limit its neighbours, and then they state
nothing either; only one that stands for itself doesn't.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.statements.api_grammar import API
from verigate.domain.statements.change_grammar import CHANGES
from verigate.domain.statements.code_grammar import BUILD, COVERAGE, LINT, TESTS
from verigate.domain.statements.content_grammar import CONTENT
from verigate.domain.statements.links_grammar import LINKS
from verigate.domain.statements.matching import Compiled
from verigate.domain.statements.values import Fact
from verigate.domain.statements.words import BAD_MARKS, GOOD_MARKS, Token

_GRAMMARS = (TESTS, LINT, BUILD, COVERAGE, CHANGES, LINKS, API, CONTENT)
_OF_TOPIC = {grammar.topic: grammar for grammar in _GRAMMARS} | {"image": CONTENT, "quote": CONTENT, "path": CHANGES}
_TOPICS = frozenset({"tests", "lint", "build", "cov", "link", "endpoint", "image", "quote", "path"})
_BARE = frozenset({"all", "run", "step", "status", "total", "in", "check"})
"""What may stand beside a topic that is only named."""

_MERGED = {
    ("tests", "suite"): "tests",
    ("tests", "cases"): "tests",
    ("tests", "results"): "tests",
    ("tests", "status"): "tests",
    ("tests", "run"): "tests",
    ("this", "change"): "diff",
    ("this", "diff"): "diff",
    ("source", "file"): "file",
    ("in", "place"): "active",
    ("alt", "text"): "alt",
    ("suite", "tests"): "tests",
    ("tests", "cov"): "cov",
    ("code", "cov"): "cov",
    ("line", "cov"): "cov",
    ("lint", "check"): "lint",
    ("lint", "checks"): "lint",
    ("lint", "step"): "lint",
    ("lint", "results"): "lint",
    ("lint", "status"): "lint",
    ("build", "step"): "build",
    ("build", "status"): "build",
    ("link", "check"): "link",
    ("link", "checks"): "link",
    ("rate", "limit"): "ratelimit",
    ("rate", "limiter"): "ratelimit",
    ("not", "longer"): "nolonger",
    ("no", "longer"): "nolonger",
    ("alt", "attribute"): "alt",
    ("exit", "code"): "exit",
    ("exit", "status"): "exit",
    ("word", "count"): "wordcount",
    ("new", "ones"): "ones",
}
_STATED_WORDS = frozenset({"pass", "passed", "passes", "passing", "fail", "failed", "failing", "failures", "skipped"})
_MARKS = frozenset({"good", "bad"})


class Parsed(Struct, frozen=True):
    """A clause and what it states; ``part``: it is about something that facts know, but not about all of it."""

    tokens: tuple[Token, ...]
    facts: tuple[Fact, ...] = ()
    part: bool = False


class _Piece(Struct, frozen=True):
    """Tokens between separators, the separator before them, and the first word that stands there."""

    before: str
    tokens: tuple[Token, ...]
    begins: str = ""


def parse(found: Sequence[Token]) -> list[Parsed]:
    """The clauses of one sentence, in order."""
    pieces = list(_pieces(_merged(found)))
    clauses: list[Parsed] = []
    limited = False
    about = _About()
    index = 0
    while index < len(pieces):
        piece, following = pieces[index], pieces[index + 1] if index + 1 < len(pieces) else None
        if following is not None and following.before == ":":
            whole = piece.tokens + following.tokens
            if (stated := about.facts(whole)) is not None:
                clauses.append(Parsed(whole, stated))
                index += 2
                continue
        index += 1
        explained = (
            following is not None
            and following.before in _EXPLAINING
            and bool(_facts_of(following.tokens, _topic(piece)))
        )
        stated = about.state(piece, explained=explained)
        if stated is None and following is not None and all(token.form in _ENTITIES for token in following.tokens):
            whole = piece.tokens + following.tokens
            if (stated := about.facts(whole)) is not None:
                piece = _Piece(piece.before, whole, piece.begins)
                index += 1
        if stated is not None:
            clauses.append(Parsed(piece.tokens, stated))
        elif (cut := _purpose(piece.tokens)) is not None:
            clauses += cut
        else:
            limited = limited or not _stands_alone(piece, following)
            clauses.append(Parsed(piece.tokens, (), _known(piece.tokens)))
            about = _About()
    every = tuple(token for piece in pieces for token in piece.tokens)
    if limited or not any(clause.facts for clause in clauses):
        return [Parsed(every, (), any(clause.facts or clause.part for clause in clauses))]
    if about.waiting and not about.ran:
        clauses.append(Parsed(tuple(about.waiting), (), True))
    # What only names what the next clause is about states nothing by itself, and is no clause that is left unread.
    return [clause for clause in clauses if clause.facts or clause.part or not _names(clause.tokens)]


_EXPLAINING = frozenset({":", "\u2014", "\u2013", "-", "--"})


def _topic(piece: _Piece) -> Token | None:
    return next((token for token in piece.tokens if token.form in _TOPICS), None)


def _purpose(tokens: Sequence[Token]) -> list[Parsed] | None:
    """A change and, as a clause that nobody reads, what it is for: "updated `total()` to round correctly"."""
    for index, token in enumerate(tokens):
        if token.form in {"to", "for", "so"} and index:
            facts = CHANGES.facts(tokens[:index])
            if facts and tokens[0].form in {"change", "modify", "create", "delete", "path", "call"}:
                return [Parsed(tuple(tokens[:index]), facts), Parsed(tuple(tokens[index:]), (), True)]
    return None


def _names(tokens: Sequence[Token]) -> bool:
    return all(token.form in _TOPICS or token.form in _BARE or token.form in _MARKS for token in tokens)


def _known(tokens: Sequence[Token]) -> bool:
    return any(token.form in _TOPICS or token.form in {"part", "image", "quote", "suite"} for token in tokens)


_ENTITIES = frozenset({"path", "ep", "call", "ident", "url"})


def _merged(found: Sequence[Token]) -> list[Token]:
    """Words that are one name, as one token."""
    merged: list[Token] = []
    for token in found:
        if merged and token.form not in {"sep", ""}:
            form = _MERGED.get((merged[-1].form, token.form))
            if form is not None:
                merged[-1] = replace(merged[-1], form=form, raw=f"{merged[-1].raw} {token.raw}")
                continue
        if token.form == "num" and merged and merged[-1].form == "exit":
            good = token.value == 0
            merged[-1] = Token("ok" if good else "bad", "ok", f"{merged[-1].raw} {token.raw}")
            continue
        merged.append(replace(token, form=_ALONE[token.form]) if token.form in _ALONE else token)
    return merged


_ALONE = {"suite": "tests"}


def _pieces(found: Sequence[Token]) -> Iterator[_Piece]:
    before, begins, held = "", "", list[Token]()
    for index, token in enumerate(found):
        if token.form == "sep" and not _joins(held, token, found[index + 1 :]):
            if held:
                yield _Piece(before, _named(held), begins)
                before, begins, held = token.raw, "", []
            elif token.raw != ".":
                before = token.raw if before in {"", ","} else before
        elif token.form != "sep":
            begins = begins or token.raw.lower()
            if token.form:
                held.append(token)
    if held:
        yield _Piece(before, _named(held), begins)


def _named(held: Sequence[Token]) -> tuple[Token, ...]:
    return tuple(replace(token, form="article") if token.form == "text" else token for token in held)


def _joins(held: Sequence[Token], separator: Token, rest: Sequence[Token]) -> bool:
    """Whether a word or sign that separates clauses stands inside of one: in a list of names, in "between 1 and 2"."""
    if not held or separator.raw not in {",", "and", "with"}:
        return False
    if separator.raw == "with":
        return (
            held[-1].form == "exit"
            or held[-1].form == "return"
            or any(token.form in {"alt", "source"} for token in rest[:2])
        )
    if any(token.form == "between" for token in held):
        return separator.raw == "and"
    following = next((token for token in rest if token.form not in {"", "sep"}), None)
    return following is not None and held[-1].form in _ENTITIES and following.form == held[-1].form


_FINITE = frozenset({"is", "are", "was", "were", "has", "have", "now"})
_BEGINNINGS = frozenset({"i", "we", "i've", "we've", "the", "this", "it", "that", "both", "a", "an", "there"})
_LIMITING = frozenset({"skip", "bad", "dead", "not", "no", "none", "only", "some", "delete", "part", *_TOPICS})
_LIMITING_WORDS = frozenset(
    {"them", "ones", "those", "these", "rest", "others", "which", "who", "where", "mocked", "stubbed"}
)
_AND = frozenset({"and", ";", "\u2014", "\u2013", ".", "!", "-", "--", "but"})


def _stands_alone(piece: _Piece, following: _Piece | None) -> bool:
    """Whether a clause that isn't understood is a sentence of its own, and can't limit what stands beside it."""
    words = [token.raw.lower() for token in piece.tokens]
    if any(token.form in _LIMITING for token in piece.tokens) or not _LIMITING_WORDS.isdisjoint(words):
        return False
    verb = any(word.endswith(("ed", "es", "s")) or word in _FINITE for word in words)
    if piece.before == "" and following is not None:
        return following.before in _AND and verb and piece.begins not in _PREPOSITIONS
    return piece.before in _AND and verb and piece.begins in _BEGINNINGS


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

    def state(self, piece: _Piece, *, explained: bool) -> tuple[Fact, ...] | None:
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
            named = next((token for token in tokens if token.form in _TOPICS), None)
            if named is not None:
                self.topic = named if named.form != "path" else self.topic
                self.predicate = tuple(token for token in tokens if token.form in {"ok", "bad", "dead"})
            elif self.topic is None and any(token.raw.lower() in _STATED_WORDS for token in tokens):
                self.topic = Token("tests", None, "tests")
        return facts

    def _of_waiting(self, tokens: Sequence[Token]) -> tuple[Fact, ...] | None:
        """The predicate of all that waits; the last of them may stand with it ("tests and lint pass")."""
        last = tokens[0] if tokens[0].form in _TOPICS else None
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
        is_mark = token.form in _MARKS and token.raw in _MARK_SIGNS
        counted.append(_as_predicate(token) if is_mark and counted and counted[-1].form == "num" else token)
    marks = [token for token in counted if token.form in _MARKS and token.raw in _MARK_SIGNS and token in tokens]
    return [token for token in counted if token not in marks], marks


_MARK_SIGNS = frozenset(GOOD_MARKS + BAD_MARKS)


def _subject(tokens: Sequence[Token]) -> Token | None:
    """The topic that a clause only names, with ``so`` before it where a predicate is repeated."""
    if len(tokens) == 2 and tokens[0].form == "so" and tokens[1].form in _TOPICS:
        return tokens[0]
    named = [token for token in tokens if token.form in _TOPICS]
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
    if topic is not None and not any(token.form in _TOPICS and token.form != "path" for token in tokens):
        tried += [(_OF_TOPIC[topic.form], [topic, *tokens])]
    tried += [(grammar, tokens) for grammar in _GRAMMARS]
    if topic is None and tokens[-1].raw.lower() in _STATED_WORDS:
        tried.append((TESTS, [Token("tests", None, "tests"), *tokens]))
    for grammar, forms in tried:
        facts = grammar.facts(forms)
        if facts:
            return facts
    plain = [token for token in tokens if token.raw.lower() not in _HOW]
    return _facts_of(plain, topic) if plain and len(plain) < len(tokens) else None


_HOW = frozenset({"successfully", "cleanly", "correctly"})
