"""Building blocks of the grammars: patterns over token forms, and the facts that a match states."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from msgspec import Struct

from verigate.domain.statement_reading import OPPOSITE, Relation, StatedFact
from verigate.statements.beginnings import list_beginnings
from verigate.statements.tokenizer import Token

REL = "(?:(?P<rel>ge|gt|le|lt) )?"
NUM = f"{REL}(?P<n>num)"
PCT = f"{REL}(?P<p>pct)"
OK = "ok(?: ok)*"
BAD = "(?:bad|dead)"

_RELATIONS = {"ge": Relation.GE, "gt": Relation.GT, "le": Relation.LE, "lt": Relation.LT}


class Match(Struct, frozen=True):
    """A clause that a pattern matches in full."""

    tokens: Sequence[Token]
    found: re.Match[str]

    def has_group(self, group: str) -> bool:
        """Whether the group took part in the match."""
        return self.found.groupdict().get(group) is not None

    def token(self, group: str) -> Token:
        """The first token of the group."""
        return self.tokens[self.found.string.count(" ", 0, self.found.start(group))]

    def every(self, form: str) -> list[Token]:
        """All tokens of one form."""
        return [token for token in self.tokens if token.form == form]

    def number(self, group: str = "n") -> int:
        """The value of the group's number."""
        return int(self.token(group).value)

    @property
    def relation(self) -> Relation:
        """The relation stated with the number; equality by default."""
        return _RELATIONS.get(self.found.groupdict().get("rel") or "", Relation.EQ)

    @property
    def tool(self) -> str | None:
        """The tool that the clause names, if any."""
        return next((token.tool for token in self.tokens if token.tool is not None), None)

    @property
    def scope(self) -> str | None:
        """The folder or file that the clause is limited to, if any."""
        paths = self.every("path")
        if paths:
            return str(paths[0].value)
        return "docs/" if self.every("docs") else None


Facts = Callable[[Match], Iterable[StatedFact]]
Grammar = Sequence[tuple[tuple[str, ...], Facts]]
"""Groups of equivalent patterns, each with the function that yields the facts of a match."""


class CompiledGrammar(Struct, frozen=True):
    """The patterns of one topic, each of which is compiled when a clause begins as it demands."""

    topic: str
    patterns: tuple[tuple[str, Facts], ...]

    def match_facts(self, tokens: Sequence[Token]) -> tuple[StatedFact, ...] | None:
        """Return the facts of the first pattern that matches all tokens, None if none does."""
        text = " ".join(token.form for token in tokens)
        lower = text.lower()
        for pattern, made in self.patterns:
            if lower.startswith(_list_beginnings(pattern)) and (found := _compile(pattern).fullmatch(text)) is not None:
                return tuple(made(Match(tokens, found)))
        return None


@cache
def _list_beginnings(pattern: str) -> tuple[str, ...]:
    return tuple(list_beginnings(pattern))


@cache
def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def compile_grammar(topic: str, grammar: Grammar) -> CompiledGrammar:
    """Make one list of the patterns of a grammar."""
    return CompiledGrammar(topic, tuple((pattern, made) for patterns, made in grammar for pattern in patterns))


def negate_relation(relation: Relation) -> Relation:
    """Return the relation that holds where ``relation`` doesn't."""
    return OPPOSITE[relation]
