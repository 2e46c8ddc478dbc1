"""What grammars are made of: patterns over the forms of tokens, and the facts that a match states."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from verigate.domain.reading import OPPOSITE, Fact, Relation
from verigate.statements.words import Token

REL = "(?:(?P<rel>ge|gt|le|lt) )?"
NUM = f"{REL}(?P<n>num)"
PCT = f"{REL}(?P<p>pct)"
OK = "ok(?: ok)*"
BAD = "(?:bad|dead)"

_RELATIONS = {"ge": Relation.GE, "gt": Relation.GT, "le": Relation.LE, "lt": Relation.LT}


class Match(Struct, frozen=True):
    """A clause that a pattern fits."""

    tokens: Sequence[Token]
    found: re.Match[str]

    def has(self, group: str) -> bool:
        """Whether this part is there."""
        return self.found.groupdict().get(group) is not None

    def token(self, group: str) -> Token:
        """The token where the group begins."""
        return self.tokens[self.found.string.count(" ", 0, self.found.start(group))]

    def every(self, form: str) -> list[Token]:
        """All tokens of one form."""
        return [token for token in self.tokens if token.form == form]

    def number(self, group: str = "n") -> int:
        """The number there."""
        return int(self.token(group).value)

    @property
    def relation(self) -> Relation:
        """What is said of the number, equality where nothing is."""
        return _RELATIONS.get(self.found.groupdict().get("rel") or "", Relation.EQ)

    @property
    def tool(self) -> str | None:
        """The tool that one of the words named."""
        return next((token.tool for token in self.tokens if token.tool is not None), None)

    @property
    def scope(self) -> str | None:
        """The folder or file that the clause is limited to."""
        paths = self.every("path")
        if paths:
            return str(paths[0].value)
        return "docs/" if self.every("docs") else None


Facts = Callable[[Match], Iterable[Fact]]
Grammar = Sequence[tuple[tuple[str, ...], Facts]]
"""Patterns that may be told alike, and what they state."""


class Compiled(Struct, frozen=True):
    """The patterns of one topic, and its word; without one the clause has to name what it is about."""

    topic: str
    patterns: tuple[tuple[re.Pattern[str], Facts], ...]

    def facts(self, tokens: Sequence[Token]) -> tuple[Fact, ...] | None:
        """The facts that these tokens state, None where no pattern fits all of them."""
        text = " ".join(token.form for token in tokens)
        for pattern, made in self.patterns:
            if (found := pattern.fullmatch(text)) is not None:
                return tuple(made(Match(tokens, found)))
        return None


def compiled(topic: str, grammar: Grammar) -> Compiled:
    """A grammar that is ready."""
    return Compiled(topic, tuple((re.compile(pattern), made) for patterns, made in grammar for pattern in patterns))


def opposite(relation: Relation) -> Relation:
    """What holds where ``relation`` is denied."""
    return OPPOSITE[relation]
