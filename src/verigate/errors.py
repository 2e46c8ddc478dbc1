"""The exception hierarchy. Each class has one exit code; each error says what happened, where, and what to try."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

LONGEST_MESSAGE = 2_000
"""Characters of a message, a location or a hint. They may quote a megabyte of an untrusted file."""


def shorten(text: str) -> str:
    """Return ``text``, cut to LONGEST_MESSAGE characters with a note of its length."""
    return text if len(text) <= LONGEST_MESSAGE else f"{text[:LONGEST_MESSAGE]}... ({len(text)} characters)"


class Fault(NamedTuple):
    """One problem at one place of one file. A NamedTuple, so that help and version don't import msgspec.

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
        """``file:line pointer``, as far as known; empty if nothing is."""
        place = self.file or ""
        if self.line is not None:
            place = f"{place}:{self.line}"
        if self.pointer:
            place = f"{place} {self.pointer}" if place else self.pointer
        return place

    def brief(self) -> Fault:
        """Return a copy with long texts cut."""
        message, pointer, hint = shorten(self.message), self.pointer, self.hint
        return self._replace(message=message, pointer=pointer and shorten(pointer), hint=hint and shorten(hint))

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text} ({self.hint})" if self.hint else text


class GateError(Exception):
    """Base of every expected error. ``exit_code`` is the exit code of the command."""

    exit_code = 3
    code = "ERROR"

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        self.message = shorten(message)
        self.where = where and shorten(where)
        self.hint = hint and shorten(hint)
        super().__init__(self.message)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The error as a list of faults; most errors have exactly one."""
        return (Fault(self.message, file=self.where, hint=self.hint),)


class UsageError(GateError):
    """The command line is invalid or names something that doesn't exist."""

    exit_code = 2
    code = "USAGE"


class ConfigError(GateError):
    """One or more configuration files are invalid; carries every fault that was found."""

    exit_code = 2
    code = "CONFIG"

    def __init__(self, faults: Iterable[Fault]) -> None:
        self._faults = tuple(fault.brief() for fault in faults)
        if not self._faults:
            raise ValueError("a ConfigError needs at least one fault")
        super().__init__("; ".join(str(fault) for fault in self._faults))

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Every fault, ordered by file and place."""
        return self._faults


class SubjectError(GateError):
    """The tree to verify can't be read or checked out (git failed, no such ref, ...)."""

    exit_code = 2
    code = "SUBJECT"


class ExecutionError(GateError):
    """The gate itself failed; nothing was decided."""

    exit_code = 3
    code = "EXECUTION"


class EvidenceError(GateError):
    """Published evidence is missing, changed or incomplete: the task is "not verified"."""

    exit_code = 3
    code = "EVIDENCE"


class LockedError(GateError):
    """Another run holds the lock of this task."""

    exit_code = 3
    code = "LOCKED"


class Interrupted(GateError):  # noqa: N818 - an interruption is not the gate's error
    """The gate received SIGINT or SIGTERM; every process it started has been ended."""

    exit_code = 130
    code = "INTERRUPTED"

    def __init__(self, message: str = "interrupted; no verdict was written") -> None:
        super().__init__(message)
