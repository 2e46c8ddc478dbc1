"""The subjects of a sentence that wait for a predicate, and the topic that its clauses share."""

from __future__ import annotations

import re
from collections.abc import Sequence

from verigate.domain.statement_reading import StatedFact
from verigate.statements.matching import STATED_WORDS, match_grammars, state_of_each
from verigate.statements.segments import TOPICS, Segment, is_mark
from verigate.statements.tokenizer import Token

BARE = frozenset({"all", "run", "step", "status", "total", "in", "check"})
"""Words that may accompany a topic that is named without a predicate."""

OK = Token("ok", "ok", "ok")
_COUNTED = re.compile(r"all (?:num )?tests (?:all )?ok(?: ok)*")


class Context:
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
        subject = find_subject(tokens)
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
        return state_of_each(subjects, (_predicate_from_mark(marks[0]),)) if subjects else ()

    def _read_subject(
        self, subject: Token, tokens: Sequence[Token], marks: Sequence[Token], *, explained: bool
    ) -> tuple[StatedFact, ...] | None:
        if subject.form == "so":
            return state_of_each([tokens[-1]], self.predicate or (OK,))
        self.topic = subject
        ran = any(token.form == "run" for token in tokens)
        if marks and not explained:
            if len({mark.form for mark in marks}) > 1:
                return None
            return state_of_each([*self._take_waiting(), subject], (_predicate_from_mark(marks[0]),))
        self.ran = self.ran or ran
        self.waiting.append(subject)
        return ()

    def _take_waiting(self) -> list[Token]:
        taken, self.waiting = self.waiting, []
        return taken

    def state_of_all(self, last: Sequence[Token], predicate: Sequence[Token]) -> tuple[StatedFact, ...] | None:
        """Apply what stands after a colon to all subjects before it: "I ran the tests and lint: all green"."""
        subject = find_subject(last) if self.waiting else None
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
        facts = match_grammars(tokens, self.topic)
        if facts is not None:
            named = next((token for token in tokens if token.form in TOPICS), None)
            if named is not None:
                self.topic = named if named.form != "path" else self.topic
                self.predicate = tuple(token for token in tokens if token.form in {"ok", "bad", "dead"})
            elif self.topic is None and any(token.raw.lower() in STATED_WORDS for token in tokens):
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
            stated = match_grammars([self.waiting[0], *tokens], None)
            if stated:
                return stated
        if last is None and not self.ran and _COUNTED.fullmatch(" ".join(token.form for token in tokens)):
            # "Lint and all 93 tests pass"
            own, others = match_grammars(tokens, None), state_of_each(self.waiting, (OK,))
            return (*others, *own) if own and others else None
        return None

    def _apply_to(self, subjects: Sequence[Token], predicate: Sequence[Token]) -> tuple[StatedFact, ...] | None:
        stated = tuple(token for token in predicate if token.form != "all")
        if not stated or not all(token.form in {"ok", "bad", "dead"} for token in stated):
            return None
        self.topic = subjects[-1]
        return state_of_each(subjects, stated)


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


def find_subject(tokens: Sequence[Token]) -> Token | None:
    """Find the topic of a clause without a predicate; ``so`` where it repeats the last one ("and so is lint")."""
    if len(tokens) == 2 and tokens[0].form == "so" and tokens[1].form in TOPICS:
        return tokens[0]
    named = [token for token in tokens if token.form in TOPICS]
    if len(named) == 1 and all(token.form in BARE or token is named[0] for token in tokens):
        return named[0]
    return None
