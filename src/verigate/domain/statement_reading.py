"""Values of a statement that was read: its kind, its clauses, and the facts that would have to hold."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from verigate.domain.standard_artifacts import BY_PATH

MAX_READ = 1000
"""How many statements of one claim are read."""

MAX_CHARACTERS = 500
"""Length limit of one statement. One that long may have been cut off before a qualifier, so it isn't read."""


class StatementKind(StrEnum):
    """Kind of a statement. Only a claim asserts success; a negated one states a shortcoming."""

    CLAIM = "claim"
    NEGATED = "negated"
    HEDGED = "hedged"
    PLAN = "plan"
    PAST = "past"
    REPORTED = "reported"
    PART = "part"
    UNMAPPED = "unmapped"


WHY_UNDECIDED = {
    StatementKind.NEGATED: "it denies something, which no fact here decides",
    StatementKind.HEDGED: "it is hedged, conditional or a question",
    StatementKind.PLAN: "it is a plan, a wish or an instruction",
    StatementKind.PAST: "it is about how things were before",
    StatementKind.REPORTED: "it repeats what somebody else says",
    StatementKind.PART: "it is about a part, and facts cover only the whole",
    StatementKind.UNMAPPED: "it isn't understood",
}
"""Why a statement without facts is undecided."""

_SEE = '; see "Which facts are known" in docs/statements.md'
"""Where to look for another wording of what is about something known."""


class Relation(StrEnum):
    """Required relation of the measured value to the stated one."""

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


class StatedFact(Struct, frozen=True):
    """One fact that a statement needs.

    ``artifact`` is the path of a standard artifact. ``what`` is a JSON pointer in it, or a name of ``gate.measures``
    for what has to be counted or looked up there. ``step`` is how far a rounded value may be off: 0.005 for "92%".
    ``tool`` limits it to what one tool found, ``scope`` to files at or below a path. ``bad`` marks one that is stated
    as a shortcoming. ``part`` are the words of a part, of which it is stated: it is looked up, or follows from the
    whole, or is open. ``looked_up``: it doesn't follow from the whole. ``named``: the words of the part are in paths of
    tests, which shows that these are of it, not that no others are. ``top_level``: subtests don't count.
    """

    artifact: str
    what: str
    relation: Relation = Relation.EQ
    value: bool | int | float | str = 0
    step: float = 0.0
    tool: str | None = None
    scope: str | None = None
    bad: bool = False
    part: str = ""
    looked_up: bool = False
    named: bool = False
    top_level: bool = False

    @property
    def capability(self) -> str:
        """The capability that writes the artifact."""
        return BY_PATH[self.artifact].capability

    @property
    def expected(self) -> str:
        """The relation and the value with tool and scope, such as ``> 0.9 by jest in src/``."""
        tool = f" by {self.tool}" if self.tool else ""
        scope = f" in {self.scope}" if self.scope else ""
        part = f" of the whole, and so of: {self.part}" if self.part else ""
        part = f" of: {self.part}" if self.part and self.looked_up else part
        return f"{self.relation.value} {_format_value(self.value)}{tool}{scope}{part}"

    def __str__(self) -> str:
        """``coverage.json /pct > 0.9``."""
        return f"{self.artifact} {self.what} {self.expected}"


def _format_value(value: bool | float | str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) and abs(value) < 1e6 else str(value)


class Clause(Struct, frozen=True):
    """A clause of a statement: its words as they were read, and its facts.

    ``unknown`` is its first word that isn't known, empty where each is, or the word that makes it no claim.
    ``similar``: it is about something of which facts are known in other words. ``suggestion`` is the nearest form that
    is read, empty if none is near.
    """

    text: str
    kind: StatementKind
    facts: tuple[StatedFact, ...] = ()
    unknown: str = ""
    similar: bool = False
    suggestion: str = ""


class StatementReading(Struct, frozen=True):
    """A statement that was read: its kind and its clauses."""

    kind: StatementKind
    clauses: tuple[Clause, ...] = ()

    @property
    def facts(self) -> tuple[StatedFact, ...]:
        """All facts of all clauses, in the order of the text."""
        return tuple(fact for clause in self.clauses for fact in clause.facts)

    @property
    def unread(self) -> tuple[Clause, ...]:
        """The clauses that no fact decides."""
        return tuple(clause for clause in self.clauses if not clause.facts)

    @property
    def why_undecided(self) -> str:
        """Why the statement is undecided if it has no facts."""
        why = WHY_UNDECIDED.get(self.kind, WHY_UNDECIDED[StatementKind.UNMAPPED])
        clause = next((each for each in self.unread if each.kind is self.kind), None)
        if clause is None:
            return why
        hint = f"; {clause.suggestion}" if clause.suggestion else ""
        if self.kind not in {StatementKind.PART, StatementKind.UNMAPPED}:
            return f"{why}: '{clause.unknown}'{hint}" if clause.unknown else f"{why}{hint}"
        if self.kind is StatementKind.PART:
            return f"{why} ('{clause.unknown}' may limit it)" if clause.unknown else why
        where = f" from '{clause.unknown}' on" if clause.unknown else ""
        return f"{why}{where}{hint or (_SEE if clause.similar else '')}"

    @property
    def capabilities(self) -> tuple[str, ...]:
        """The capabilities that have to run, without duplicates."""
        return tuple(dict.fromkeys(fact.capability for fact in self.facts))
