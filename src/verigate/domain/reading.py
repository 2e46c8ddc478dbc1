"""What a statement says, as values: its kind, and the facts that it would have to agree with."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from verigate.domain.standard import BY_PATH

MAX_CHARACTERS = 500
"""Of one statement. One that long may have been cut, and what it lacks might take it back: it isn't read."""


class Kind(StrEnum):
    """How a statement is meant. Only a claim says that something is so; the facts of a negated one speak against it."""

    CLAIM = "claim"
    NEGATED = "negated"
    HEDGED = "hedged"
    PLAN = "plan"
    PAST = "past"
    REPORTED = "reported"
    PART = "part"
    UNMAPPED = "unmapped"


WHY = {
    Kind.NEGATED: "it says that something is not so, or was not done",
    Kind.HEDGED: "it is hedged, conditional or a question",
    Kind.PLAN: "it is a plan, a wish or an instruction",
    Kind.PAST: "it is about how things were before",
    Kind.REPORTED: "it repeats what somebody else says",
    Kind.PART: "it is about a part that no fact tells apart",
    Kind.UNMAPPED: "no rule or fact decides",
}
"""Why a statement without facts is undecided."""


class Relation(StrEnum):
    """How a measured value has to stand to the stated one."""

    EQ = "="
    GT = ">"
    GE = ">="
    LT = "<"
    LE = "<="


OPPOSITE = {
    Relation.GT: Relation.LE,
    Relation.GE: Relation.LT,
    Relation.LT: Relation.GE,
    Relation.LE: Relation.GT,
}


class Fact(Struct, frozen=True):
    """One fact that a statement needs.

    ``artifact`` is the path of a standard artifact. ``what`` is a JSON pointer in it, or a name of ``gate.measures``
    for what has to be counted or looked up there. ``step`` is how far a rounded value may be off: 0.005 for "92%".
    ``tool`` limits it to what one tool found, ``scope`` to files at or below a path. ``bad`` marks one that is stated
    as a shortcoming.
    """

    artifact: str
    what: str
    relation: Relation = Relation.EQ
    value: bool | int | float | str = 0
    step: float = 0.0
    tool: str | None = None
    scope: str | None = None
    bad: bool = False

    @property
    def capability(self) -> str:
        """The capability whose artifact is asked."""
        return BY_PATH[self.artifact].capability

    @property
    def expected(self) -> str:
        """``> 0.9``, with the tool and the scope."""
        tool = f" by {self.tool}" if self.tool else ""
        scope = f" in {self.scope}" if self.scope else ""
        return f"{self.relation.value} {_shown(self.value)}{tool}{scope}"

    def __str__(self) -> str:
        """``coverage.json /pct > 0.9``."""
        return f"{self.artifact} {self.what} {self.expected}"


def _shown(value: bool | float | str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) and abs(value) < 1e6 else str(value)


class Clause(Struct, frozen=True):
    """A part of a statement that stands for itself: its words as they were read, and its facts."""

    text: str
    kind: Kind
    facts: tuple[Fact, ...] = ()


class Reading(Struct, frozen=True):
    """A statement as it is understood; ``rest`` are the clauses that nothing could be made of."""

    kind: Kind
    clauses: tuple[Clause, ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """All facts of all clauses, in the order in which they are stated."""
        return tuple(fact for clause in self.clauses for fact in clause.facts)

    @property
    def unread(self) -> tuple[Clause, ...]:
        """The clauses that no fact decides."""
        return tuple(clause for clause in self.clauses if not clause.facts)

    @property
    def capabilities(self) -> tuple[str, ...]:
        """What has to run, each once."""
        return tuple(dict.fromkeys(fact.capability for fact in self.facts))
