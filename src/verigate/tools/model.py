"""What a tool adapter declares: who the tool is, which files it is for, what it can do and with which slots.

Named tuples and no structs, here and in what chooses among tools by words: a request in words is answered without
loading msgspec, which takes as long as all the rest of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

MANY: Final = "many"


class Category(StrEnum):
    """The role of a slot in a request: which spans of it may fill the slot."""

    TARGET = "TARGET"
    DESTINATION = "DESTINATION"
    CONSTRAINT = "CONSTRAINT"
    ARGUMENT = "ARGUMENT"


class SlotType(StrEnum):
    """How a slot's values are parsed, and what they are made of."""

    FILEPATH = "filepath"
    BOOLEAN = "boolean"
    INTEGER = "integer"
    QUANTITY = "quantity"
    DIMENSIONS = "dimensions"
    TIMESTAMP = "timestamp"
    ENUM = "enum"
    STRING = "string"


class Render(StrEnum):
    """Whether a value stands by its position or after a flag."""

    POSITIONAL = "positional"
    FLAG = "flag"


class Expansion(StrEnum):
    """How several values of a slot stand in one invocation: ``-i a b``, or ``-i a -i b``."""

    INLINE = "inline"
    LOOP = "loop"


class Execution(StrEnum):
    """How many invocations there are: one for all targets, or one for each."""

    SINGLE = "single"
    LOOP = "loop"


class Effect(StrEnum):
    """What a capability does to the files in a slot."""

    READS = "reads"
    WRITES = "writes"
    CHANGES = "changes"
    REMOVES = "removes"


class ReportFormat(StrEnum):
    """What a tool writes about what it found."""

    SARIF = "sarif"
    JUNIT = "junit"
    TAP = "tap"
    LCOV = "lcov"
    JSON = "json"
    LINES = "lines"


REPORT_ARTIFACTS: Mapping[ReportFormat, tuple[str, str]] = {
    ReportFormat.SARIF: ("lint.json", "verigate:lint.v1"),
    ReportFormat.JSON: ("lint.json", "verigate:lint.v1"),
    ReportFormat.LINES: ("lint.json", "verigate:lint.v1"),
    ReportFormat.JUNIT: ("tests.json", "verigate:tests.v1"),
    ReportFormat.TAP: ("tests.json", "verigate:tests.v1"),
    ReportFormat.LCOV: ("coverage.json", "verigate:coverage.v1"),
}
"""The standard artifact that a report becomes, and its media spec."""


class FileDomain(NamedTuple):
    """Which files a capability is for: any, or those with one of these extensions or MIME types (lower case)."""

    name: str
    description: str = ""
    match_any: bool = False
    extensions: tuple[str, ...] = ()
    mimetypes: tuple[str, ...] = ()


class Slot(NamedTuple):
    """One parameter. ``cardinality`` is how many values it takes, or MANY; ``default`` is as it was written.

    ``format`` says how a value stands in the command (see ``formats``), ``units`` which units a quantity may have and
    what the tool calls them.
    """

    name: str
    category: Category
    type: SlotType
    required: bool
    desc: str
    render: Render
    cardinality: int | Literal["many"] = 1
    expansion: Expansion = Expansion.INLINE
    flag: str | None = None
    default: Any = None
    keywords: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    format: str | None = None
    units: Mapping[str, str] = MappingProxyType({})
    effect: Effect | None = None

    @property
    def is_many(self) -> bool:
        """Whether it takes any number of values."""
        return self.cardinality == MANY


class Command(NamedTuple):
    """How an invocation is built: the program, fixed words, flags, positional slots.

    Flags stand before the positional slots, or after the one that ``flags_after`` names. ``end_of_options`` is the
    word (``--``) after which the tool takes everything for an operand; ``version`` are the words that make it tell its
    version.
    """

    base: str
    args: tuple[str, ...] = ()
    positional_order: tuple[str, ...] = ()
    execution: Execution = Execution.SINGLE
    flags_after: str | None = None
    end_of_options: str | None = None
    version: tuple[str, ...] = ("--version",)


class Report(NamedTuple):
    """What the tool tells in a form that a machine can read, and where.

    ``source`` is ``stdout``, ``stderr`` or the name of a DESTINATION slot. ``clean`` and ``found`` are the exit codes
    that mean "nothing found" and "something found"; any other is the tool's own failure. The rest belongs to the
    formats ``json`` (pointers, relative to a finding) and ``lines`` (regular expressions).

    Which files were looked at: ``lists`` stands in the place of the command's ``args`` and makes the tool print them,
    one a line; ``examined`` and ``skipped`` are regular expressions (group ``path``) of lines beside the report that
    name one, ``skipped`` in the format ``json`` also a pointer to names.
    """

    format: ReportFormat
    source: str = "stdout"
    clean: tuple[int, ...] = (0,)
    found: tuple[int, ...] = (1,)
    findings: str = ""
    fields: Mapping[str, str] = MappingProxyType({})
    errors: tuple[str, ...] = ()
    pattern: str | None = None
    skip: str | None = None
    lists: tuple[str, ...] = ()
    examined: str | None = None
    skipped: str | None = None

    @property
    def artifact(self) -> tuple[str, str]:
        """The name of the standard artifact that it becomes, and its media spec."""
        return REPORT_ARTIFACTS[self.format]


class ToolCapability(NamedTuple):
    """One operation of a tool. ``slots`` are in the order of the file, and so are the flags of a command.

    ``writes_subject`` says that it writes in the repository beside what its slots name, as ``git add`` does.
    """

    name: str
    domain: FileDomain
    triggers: tuple[str, ...]
    description: str
    destructive: bool
    command: Command
    slots: tuple[Slot, ...]
    report: Report | None = None
    writes_subject: bool = False

    def slot(self, name: str) -> Slot:
        """The slot of this name; KeyError if there is none."""
        for slot in self.slots:
            if slot.name == name:
                return slot
        raise KeyError(name)

    def of(self, category: Category) -> tuple[Slot, ...]:
        """Its slots of a category, in order."""
        return tuple(slot for slot in self.slots if slot.category is category)

    @property
    def is_meant_to_write(self) -> bool:
        """Whether its work lies in the repository: it says so, or slots are what it writes, changes or removes."""
        effects = {slot.effect for slot in self.slots if slot.type is SlotType.FILEPATH}
        return self.writes_subject or bool(effects & {Effect.WRITES, Effect.CHANGES, Effect.REMOVES})

    @property
    def looped(self) -> Slot | None:
        """The TARGET slot over whose values the invocation is repeated, None under ``execution = "single"``."""
        if self.command.execution is not Execution.LOOP:
            return None
        targets = self.of(Category.TARGET)
        return next((slot for slot in targets if slot.is_many), targets[0])


class Tool(NamedTuple):
    """One tool adapter. ``aliases`` is never empty; the first one names its capabilities in a plan.

    ``sandbox`` is as it was written; see ``policy``.
    """

    name: str
    aliases: tuple[str, ...]
    domains: tuple[FileDomain, ...]
    capabilities: tuple[ToolCapability, ...]
    version: str = "0"
    description: str = ""
    sandbox: Mapping[str, Any] = MappingProxyType({})

    @property
    def alias(self) -> str:
        """The alias that stands before the colon."""
        return self.aliases[0]

    def qualified(self, capability: ToolCapability) -> str:
        """``<first alias>:<capability>``."""
        return f"{self.alias}:{capability.name}"

    def capability(self, name: str) -> ToolCapability:
        """The capability of this name, with or without the alias; KeyError if there is none."""
        plain = name.removeprefix(f"{self.alias}:")
        for capability in self.capabilities:
            if capability.name == plain:
                return capability
        raise KeyError(name)
