"""Why a call failed: the reason code of its end, and the limit that it reached."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING

from msgspec.structs import replace

from verigate.domain.execution import Failure
from verigate.processes.control_groups import MEMORY, MOST_PROCESSES, PROCESSES

if TYPE_CHECKING:
    from verigate.processes.job import EndedProcess

_OUT_OF_MEMORY = re.compile(
    r"\b(?:MemoryError|OutOfMemoryError|ENOMEM|bad_alloc)\b|out of memory|cannot allocate memory|memory allocation",
    re.IGNORECASE,
)
_WITHOUT_MEMORY = frozenset({signal.SIGABRT, signal.SIGSEGV, signal.SIGKILL, signal.SIGTRAP})
"""Signals by which programs end that get no more memory, and others too."""


def classify_failure(ended: EndedProcess, timeout_s: float, memory_mb: int | None = None) -> Failure | None:
    """Return the reason code of an unsuccessful end; None for exit code 0 in time. ``memory_mb`` is its limit."""
    failure = _classify(ended, timeout_s)
    if failure is not None and ended.reached == PROCESSES:
        return replace(failure, message=f"{failure.message}; it reached the limit of {MOST_PROCESSES} processes")
    if failure is None or memory_mb is None or failure.reason != "ADAPTER_CRASH" or failure.hint:
        return failure
    # A shell says that a program of its own ended by a signal.
    numbers = {ended.outcome.signal, (ended.outcome.exit_code or 0) - 128}
    if ended.reached == MEMORY or numbers & _WITHOUT_MEMORY or _OUT_OF_MEMORY.search(ended.last_line):
        hint = "raise memory_mb in its manifest's sandbox if it needs more"
        return Failure(failure.reason, f"{failure.message}; it may use {memory_mb} MiB (memory_mb)", hint=hint)
    return failure


def _classify(ended: EndedProcess, timeout_s: float) -> Failure | None:
    outcome = ended.outcome
    last = f"; stderr: {ended.last_line}" if ended.last_line else ""
    if not ended.contained and not outcome.timed_out:
        return Failure("ADAPTER_CRASH", f"can't build its sandbox{last}", hint="see gate doctor")
    if outcome.timed_out:
        hint = "give it more time in config/sandbox.json if the work really takes longer"
        return Failure("ADAPTER_TIMEOUT", f"it timed out after {timeout_s:g} s and was stopped{last}", hint=hint)
    if outcome.signal is not None:
        return Failure("ADAPTER_CRASH", f"it was killed by {format_signal(outcome.signal)}{last}")
    if outcome.exit_code != 0:
        ended_with = f"exit code {outcome.exit_code}"
        # The cause first: it is what a line has room for.
        message = f"{ended.last_line} ({ended_with})" if ended.last_line else f"it ended with {ended_with}"
        return Failure("ADAPTER_CRASH", message)
    return None


def format_signal(number: int) -> str:
    """Format a signal as ``SIGKILL (9)``, or ``signal 40`` where it has no name."""
    try:
        return f"{signal.Signals(number).name} ({number})"
    except ValueError:
        return f"signal {number}"
