"""The error tree. Each class has one exit code; each error says what happened, where, and what to try."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

LONGEST_MESSAGE = 2_000
"""Characters of a message, a place or a hint. What they quote of a stranger's file may be a megabyte."""


def brief(text: str) -> str:
    """``text``, or its beginning with how long it was."""
    return text if len(text) <= LONGEST_MESSAGE else f"{text[:LONGEST_MESSAGE]}... ({len(text)} characters)"


class Fault(NamedTuple):
    """One thing wrong in one place of one file. No struct, so that help and version don't load msgspec.

    ``file`` is a path as the user would write it, ``pointer`` a JSON pointer (RFC 6901, "" is the whole
    document), ``line`` counts from 1 and is None where the format has no lines.
    """

    message: str
    file: str | None = None
    pointer: str | None = None
    line: int | None = None
    hint: str | None = None

    @property
    def where(self) -> str:
        """``file:line pointer``, as much of it as is known; empty when nothing is."""
        place = self.file or ""
        if self.line is not None:
            place = f"{place}:{self.line}"
        if self.pointer:
            place = f"{place} {self.pointer}" if place else self.pointer
        return place

    def brief(self) -> Fault:
        """The same with no text in it that is too long to be shown."""
        message, pointer, hint = brief(self.message), self.pointer, self.hint
        return self._replace(message=message, pointer=pointer and brief(pointer), hint=hint and brief(hint))

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text} ({self.hint})" if self.hint else text


class GateError(Exception):
    """Base of every expected error. ``exit_code`` is what the command line ends with."""

    exit_code = 3
    code = "ERROR"

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        self.message = brief(message)
        self.where = where and brief(where)
        self.hint = hint and brief(hint)
        super().__init__(self.message)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The error as a list of faults; most errors have exactly one."""
        return (Fault(self.message, file=self.where, hint=self.hint),)


class UsageError(GateError):
    """The command line asks for something that isn't there or makes no sense."""

    exit_code = 2
    code = "USAGE"


class ConfigError(GateError):
    """One or more configuration files can't be used; carries every fault that was found."""

    exit_code = 2
    code = "CONFIG"

    def __init__(self, faults: Iterable[Fault]) -> None:
        self._faults = tuple(fault.brief() for fault in faults)
        if not self._faults:
            raise ValueError("a ConfigError needs at least one fault")
        super().__init__("; ".join(str(fault) for fault in self._faults))

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Every fault, in the order of file and place."""
        return self._faults


class SubjectError(GateError):
    """The tree to verify can't be read or checked out (git failed, no such ref, ...)."""

    exit_code = 2
    code = "SUBJECT"


class ExecutionError(GateError):
    """The gate itself could not do its work; nothing was decided."""

    exit_code = 3
    code = "EXECUTION"


class EvidenceError(GateError):
    """Published evidence is missing, changed or half-written: the task is "not verified"."""

    exit_code = 3
    code = "EVIDENCE"


class LockedError(GateError):
    """Another run holds the lock of this task."""

    exit_code = 3
    code = "LOCKED"


class Interrupted(GateError):  # noqa: N818 - an interruption is not the gate's error
    """SIGINT or SIGTERM reached the gate; every process it started has been ended."""

    exit_code = 130
    code = "INTERRUPTED"

    def __init__(self) -> None:
        super().__init__("interrupted; no verdict was written")
