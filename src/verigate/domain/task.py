"""A task: its commitment, its claim, and the units of both."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, field

from verigate.errors import Fault
from verigate.formats.near_names import find_near

if TYPE_CHECKING:
    from verigate.domain.statement_reading import StatementReading
    from verigate.domain.weakening import Disclosure

TASK_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Everything else (dots, slashes, spaces) could leave the artifacts folder."""

IMPLICIT_TASK_ID = "implicit"
IMPLICIT_TASK_TYPE = "code"
UNKNOWN_TASK_TYPE = "unknown"


class UnitKind(StrEnum):
    """What a unit of work is about; decides which artifact can support it."""

    FILE = "file"
    FUNCTION = "func"
    ENDPOINT = "endpoint"
    URL = "url"
    HEADING = "heading"
    IMAGE = "image"
    QUOTE = "quote"
    FIX = "fix"
    STATEMENT = "statement"


_PREFIXES = {
    "file": UnitKind.FILE,
    "func": UnitKind.FUNCTION,
    "function": UnitKind.FUNCTION,
    "endpoint": UnitKind.ENDPOINT,
    "ep": UnitKind.ENDPOINT,
    "url": UnitKind.URL,
    "heading": UnitKind.HEADING,
    "image": UnitKind.IMAGE,
    "quote": UnitKind.QUOTE,
    "fix": UnitKind.FIX,
    "statement": UnitKind.STATEMENT,
}
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")


class Unit(Struct, frozen=True, order=True):
    """One countable piece of claimed work. ``key`` is what follows the prefix in its id."""

    kind: UnitKind
    key: str

    @property
    def id(self) -> str:
        """Canonical id: ``kind:key``."""
        return f"{self.kind.value}:{self.key}"


class UnknownKind(NamedTuple):
    """The unknown kind of a unit id, and the id with the known kind that is nearest."""

    kind: str
    meant: str


def find_unknown_kind(text: str) -> UnknownKind | None:
    """Return the kind of a unit id if it is unknown but similar to a known one, else None."""
    prefix, colon, rest = text.strip().partition(":")
    # `a::b` is a name with a scope.
    if not colon or rest.startswith(":") or prefix.lower() in _PREFIXES:
        return None
    near = find_near(prefix, _PREFIXES, 1)
    return UnknownKind(prefix, f"{near[0]}:{rest}") if near else None


def parse_unit(text: str, path_exists: Callable[[str], bool]) -> Unit:
    """Read a unit id.

    ``path_exists`` answers whether a repository path is in base or subject; it decides what a bare id is.
    Raises ValueError for an empty id or an empty key.
    """
    stripped = text.strip()
    prefix, colon, rest = stripped.partition(":")
    kind = _PREFIXES.get(prefix.lower()) if colon else None
    if kind is not None:
        key = rest.strip()
    elif stripped.startswith("/") or stripped.split(" ", 1)[0] in _METHODS:
        kind, key = UnitKind.ENDPOINT, stripped
    else:
        kind, key = (UnitKind.FILE if path_exists(stripped) else UnitKind.FUNCTION), stripped
    key = _normalize(kind, key)
    if not key:
        raise ValueError(f"unit {text!r} names nothing")
    return Unit(kind, key)


def _normalize(kind: UnitKind, key: str) -> str:
    """Normalize a key. The result is its own normal form, because ids are parsed again by a replay."""
    if kind is UnitKind.ENDPOINT:
        return _normalize_endpoint(key)
    if kind in {UnitKind.FILE, UnitKind.FIX}:
        while key.startswith("./"):
            key = key[2:].lstrip("/").strip()
    if kind is UnitKind.FUNCTION:
        while key.endswith("()"):
            key = key[:-2].strip()
    return key


def _normalize_endpoint(key: str) -> str:
    method, space, path = key.partition(" ")
    return f"{method.upper()} {path.strip()}" if space else key


_UPDATE = "_update"


def is_same_family(one: str, other: str) -> bool:
    """Whether two types of tasks are of the same work: ``code_update`` changes what ``code`` makes."""
    return one.removesuffix(_UPDATE) == other.removesuffix(_UPDATE)


class StatementSource(StrEnum):
    """What a statement is taken from: a message to people, or subject or body of a commit's message.

    In a commit an imperative states what the change does. Its body speaks of parts of it: "Tests: …" is a heading.
    """

    MESSAGE = "message"
    COMMIT = "commit"
    COMMIT_BODY = "commit_body"


class Statement(Struct, frozen=True):
    """A sentence of a claim as it was written. ``reading`` is None until it is read, and beyond MAX_READ statements."""

    id: str
    text: str
    reading: StatementReading | None = None
    source: StatementSource = StatementSource.MESSAGE


class Scope(Struct, frozen=True):
    """What the work will touch, by its commitment; ``fixes`` are tests that will prove a fix."""

    files: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    endpoints: tuple[str, ...] = ()
    target_directory: str | None = None
    target_url: str | None = None
    fixes: tuple[str, ...] = ()


class Commitment(Struct, frozen=True):
    """commitment.json. ``quality`` holds rule keys with the thresholds promised for this task."""

    task_id: str
    type: str
    profile: str | None = None
    user_instruction: str | None = None
    base: str | None = None
    expected_total: int | None = None
    scope: Scope = field(default_factory=Scope)
    quality: Mapping[str, Any] = field(default_factory=dict)
    required_functions: tuple[str, ...] = ()
    required_endpoints: tuple[str, ...] = ()
    required_fixes: tuple[str, ...] = ()
    document: Mapping[str, Any] = field(default_factory=dict)

    @property
    def fixes(self) -> tuple[Unit, ...]:
        """The tests that must prove a fix, of scope and requirements."""
        names = (*self.required_fixes, *self.scope.fixes)
        return tuple(dict.fromkeys(Unit(UnitKind.FIX, name.strip().removeprefix("fix:").strip()) for name in names))


class Claim(Struct, frozen=True):
    """claim.json. ``unit_ids`` are as written; they become units once the subject is known.

    ``disclosures`` are the weakenings that it says; one without a reason is none.
    """

    task_id: str
    type: str
    actor: str | None = None
    units_total: int | None = None
    unit_ids: tuple[str, ...] | None = None
    statements: tuple[Statement, ...] = ()
    document: Mapping[str, Any] = field(default_factory=dict)
    disclosures: tuple[Disclosure, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing at all, not even that there is nothing (``units_total: 0``, ``units_list: []``)."""
        return self.units_total is None and self.unit_ids is None and not self.statements and not self.disclosures


class Task(Struct, frozen=True):
    """One task with its commitment and claim.

    ``claim`` is None if none was made or it is unusable; ``claim_faults`` then says why (empty: none made).
    ``implicit`` marks a task without a commitment that the gate derived from a diff.
    """

    id: str
    commitment: Commitment
    claim: Claim | None = None
    claim_faults: tuple[Fault, ...] = ()
    implicit: bool = False

    @property
    def type(self) -> str:
        """The task type, a key of the plan file."""
        return self.commitment.type
