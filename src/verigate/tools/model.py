"""Values of a tool adapter: the tool, the files it is for, its capabilities and their slots.

Named tuples instead of structs, here and in the routing of requests: a plain-English request is answered without
loading msgspec, which would double its time.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

MANY: Final = "many"


class Category(StrEnum):
    """The role of a slot in a request: it decides which parts of the request may fill the slot."""

    TARGET = "TARGET"
    DESTINATION = "DESTINATION"
    CONSTRAINT = "CONSTRAINT"
    ARGUMENT = "ARGUMENT"


class SlotType(StrEnum):
    """The type of a slot's values: it decides how they are parsed."""

    FILEPATH = "filepath"
    BOOLEAN = "boolean"
    INTEGER = "integer"
    QUANTITY = "quantity"
    DIMENSIONS = "dimensions"
    TIMESTAMP = "timestamp"
    ENUM = "enum"
    STRING = "string"


class Render(StrEnum):
    """Whether a value is a positional argument or follows a flag."""

    POSITIONAL = "positional"
    FLAG = "flag"


class Expansion(StrEnum):
    """How several values of a slot appear in one invocation: ``-i a b``, or ``-i a -i b``."""

    INLINE = "inline"
    LOOP = "loop"


class Execution(StrEnum):
    """The number of invocations: one for all targets, or one for each."""

    SINGLE = "single"
    LOOP = "loop"


class Effect(StrEnum):
    """The effect of a capability on the files in a slot."""

    READS = "reads"
    WRITES = "writes"
    CHANGES = "changes"
    REMOVES = "removes"


class ReportFormat(StrEnum):
    """The format of a tool's report."""

    SARIF = "sarif"
    JUNIT = "junit"
    TAP = "tap"
    TRX = "trx"
    LCOV = "lcov"
    JSON = "json"
    LINES = "lines"


REPORT_ARTIFACTS: Mapping[ReportFormat, tuple[str, str]] = {
    ReportFormat.SARIF: ("lint.json", "verigate:lint.v1"),
    ReportFormat.JSON: ("lint.json", "verigate:lint.v1"),
    ReportFormat.LINES: ("lint.json", "verigate:lint.v1"),
    ReportFormat.JUNIT: ("tests.json", "verigate:tests.v1"),
    ReportFormat.TAP: ("tests.json", "verigate:tests.v1"),
    ReportFormat.TRX: ("tests.json", "verigate:tests.v1"),
    ReportFormat.LCOV: ("coverage.json", "verigate:coverage.v1"),
}
"""The standard artifact that a report becomes, and its media spec."""


class FileDomain(NamedTuple):
    """The files that a capability is for: any, or those with one of these extensions, MIME types or names.

    Extensions and MIME types are in lower case; names are patterns for the last part of a path.
    """

    name: str
    description: str = ""
    match_any: bool = False
    extensions: tuple[str, ...] = ()
    mimetypes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


class Slot(NamedTuple):
    """One parameter. ``cardinality`` is the number of its values, or MANY; ``default`` is as written in the file.

    ``format`` is the template of a value in the command (see ``templates``); ``units`` maps the units that a quantity
    may have to the tool's names for them. ``synonyms`` maps other words to the choices of an enum. ``separator`` joins
    several values to one word.

    For requests in words: ``limits`` are the least and the greatest number after a trigger, ``not_after`` the words
    before a value after which a trigger means something else, ``same_folder`` the triggers after which a bare name
    is in the target's folder, and ``extensions`` what a result may be. ``drops`` are words of the command's
    ``args`` that are left out for results with an extension, ``adds`` those that follow ``args`` for them.
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
    synonyms: Mapping[str, str] = MappingProxyType({})
    separator: str | None = None
    limits: Mapping[str, tuple[float, ...]] = MappingProxyType({})
    not_after: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    same_folder: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    drops: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    adds: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    @property
    def is_many(self) -> bool:
        """Whether the slot takes any number of values."""
        return self.cardinality == MANY


class Command(NamedTuple):
    """How an invocation is built: the program, fixed words, flags, positional slots.

    Flags go before the positional slots, or after the one that ``flags_after`` names. ``end_of_options`` is the word
    (``--``) after which the tool treats everything as an operand; ``version`` are the words that make it print its
    version. ``writes`` replaces ``args`` and makes it print the paths that it would write; ``accepts``
    replaces them and makes it fail for targets that it would not take. ``removes_unfinished``: where it fails, a
    result that was not there before is no result, and is removed. ``batches``: several
    invocations with a part of the targets each mean the same.
    """

    base: str
    args: tuple[str, ...] = ()
    positional_order: tuple[str, ...] = ()
    execution: Execution = Execution.SINGLE
    flags_after: str | None = None
    end_of_options: str | None = None
    version: tuple[str, ...] = ("--version",)
    writes: tuple[str, ...] = ()
    accepts: tuple[str, ...] = ()
    removes_unfinished: bool = False
    batches: bool = False


class Report(NamedTuple):
    """The machine-readable report of a tool, and where it is written.

    ``source`` is ``stdout``, ``stderr`` or the name of a DESTINATION slot. ``clean`` and ``found`` are the exit codes
    that mean "nothing found" and "something found"; any other is a failure of the tool. The other fields belong to the
    formats ``json`` (pointers, relative to a finding) and ``lines`` (regular expressions).

    The files that were examined: ``lists`` replaces the command's ``args`` and makes the tool print them, one a line;
    ``examined`` and ``skipped`` are regular expressions (group ``path``) for other output lines that name a file. In
    the format ``json``, ``skipped`` may also be a pointer to names.
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
        """The name of the standard artifact made from the report, and its media spec."""
        return REPORT_ARTIFACTS[self.format]


class ToolCapability(NamedTuple):
    """One operation of a tool. ``slots`` are in the order of the file, and so are the flags of a command.

    ``writes_subject``: it also writes to places in the repository that no slot names, as ``git add`` does.
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

    def get_slot(self, name: str) -> Slot:
        """Return the slot of this name. Raises KeyError if there is none."""
        for slot in self.slots:
            if slot.name == name:
                return slot
        raise KeyError(name)

    def slots_of(self, category: Category) -> tuple[Slot, ...]:
        """Return the slots of a category, in order."""
        return tuple(slot for slot in self.slots if slot.category is category)

    @property
    def is_meant_to_write(self) -> bool:
        """Whether it is meant to write in the repository: it declares so, or slots name files it modifies."""
        effects = {slot.effect for slot in self.slots if slot.type is SlotType.FILEPATH}
        return self.writes_subject or bool(effects & {Effect.WRITES, Effect.CHANGES, Effect.REMOVES})

    @property
    def loop_slot(self) -> Slot | None:
        """The TARGET slot with one invocation per value, None under ``execution = "single"``."""
        if self.command.execution is not Execution.LOOP:
            return None
        targets = self.slots_of(Category.TARGET)
        return next((slot for slot in targets if slot.is_many), targets[0])


class Tool(NamedTuple):
    """One tool adapter. ``aliases`` is never empty; the first one names its capabilities in a plan.

    ``sandbox`` is as written in the file; see ``policy``.
    """

    name: str
    aliases: tuple[str, ...]
    domains: tuple[FileDomain, ...]
    capabilities: tuple[ToolCapability, ...]
    version: str = "0"
    description: str = ""
    sandbox: Mapping[str, Any] = MappingProxyType({})
    install: str = ""

    @property
    def alias(self) -> str:
        """The alias before the colon in capability names."""
        return self.aliases[0]

    def qualify(self, capability: ToolCapability) -> str:
        """Return the name ``<first alias>:<capability>``."""
        return f"{self.alias}:{capability.name}"

    def capability(self, name: str) -> ToolCapability:
        """Return the capability of this name, with or without the alias. Raises KeyError if there is none."""
        plain = name.removeprefix(f"{self.alias}:")
        for capability in self.capabilities:
            if capability.name == plain:
                return capability
        raise KeyError(name)
