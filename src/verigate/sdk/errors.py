"""Errors of an adapter; ``main`` turns each into a message on stderr and an exit code."""

from __future__ import annotations

from collections.abc import Sequence

from verigate.errors import GateError
from verigate.extras import lack_of


class AdapterError(GateError):
    """The facts could not be established. The adapter ends with exit code 1 and the gate counts it as a crash."""

    exit_code = 1
    code = "ADAPTER"


class ExtraMissing(AdapterError):  # noqa: N818 - as ToolFailed
    """A library or program of one of the gate's extras is not installed; the hint is the command that installs it."""

    code = "EXTRA_MISSING"

    def __init__(self, extra: str, names: Sequence[str], where: str) -> None:
        lack = lack_of(extra, names)
        # The command first: a report has room for three lines.
        how = f"; run: {lack.short}" if lack.short else ""
        named = ", ".join(lack.packages)
        super().__init__(f"packages of the extra {extra!r} are missing{how}\nmissing: {named}", where=where)


class AdapterUsageError(AdapterError):
    """The adapter was called with invalid flags, files or configuration."""

    exit_code = 2
    code = "ADAPTER_USAGE"


class ToolFailed(AdapterError):  # noqa: N818 - the sentence it is read in: raise ToolFailed("npm ...")
    """A tool could not be started, was killed, ran out of time, or left no usable report.

    ``output`` is what it printed, for the log; the message names the cause. ``timed_out``: it ran out of time.
    """

    code = "TOOL_FAILED"
    timed_out = False

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None, output: str = "") -> None:
        super().__init__(message, where=where, hint=hint)
        self.output = output
