"""End what a tool leaves behind when it ends: processes that left its group, as daemons do.

A test may start a process in a session of its own that edits the runner's report, or the adapter's artifact, after the
runner has ended. Orphans become children of the nearest subreaper above them, which this process makes itself. Sources:
prctl(2), PR_SET_CHILD_SUBREAPER and PR_SET_DUMPABLE; proc(5), /proc/PID/stat and status.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator

from verigate.sdk.errors import ToolFailed

_PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 4, 36
_PATIENCE_S = 5.0
_PAUSE_S = 0.002

_adapters: set[int] = set()
"""This process while it is an adapter's: a fork of it isn't, nor is a program that only uses the SDK's functions."""
_adopting: set[int] = set()
_leaders: set[int] = set()
"""Processes of sessions of their own that are meant to run."""


@contextlib.contextmanager
def own_what_is_started() -> Iterator[None]:
    """Treat every child in another session as a tool's, within this context: for a process that is an adapter."""
    _adapters.add(os.getpid())
    try:
        yield
    finally:
        _adapters.clear()


def adopt_orphans() -> None:
    """Become the parent of what tools leave behind, and let no process that isn't root's write into this one.

    Only in an adapter. One that is traced from its start, as by the conformance kit, stays readable: its tracer has all
    power over it already, and would see no path that it opens. Raises ToolFailed if the kernel refuses.
    """
    if os.getpid() in _adopting or os.getpid() not in _adapters:
        return
    import ctypes  # takes milliseconds, and few calls run a tool

    libc = ctypes.CDLL(None, use_errno=True)
    options = [(_PR_SET_CHILD_SUBREAPER, 1), *(() if _is_traced() else ((_PR_SET_DUMPABLE, 0),))]
    for option, value in options:
        if libc.prctl(option, *map(ctypes.c_ulong, (value, 0, 0, 0))) != 0:
            raise ToolFailed(f"prctl {option}: {os.strerror(ctypes.get_errno())}", hint="use Linux 3.4 or later")
    _adopting.add(os.getpid())


def _is_traced() -> bool:
    with open("/proc/self/status", "rb") as file:  # noqa: PTH123 - the kernel's
        return any(line.split()[1] != b"0" for line in file if line.startswith(b"TracerPid:"))


@contextlib.contextmanager
def keep_leader(pid: int) -> Iterator[None]:
    """Let ``pid``, a child in a session of its own, run within this context; its orphans are left alone too."""
    _leaders.add(pid)
    try:
        yield
    finally:
        _leaders.discard(pid)


def end_stragglers() -> None:
    """Kill and reap the orphans of tools that have ended, unless another tool runs.

    They are this process's children in another session than its own: its own forks have its session, which no other
    process can enter. Raises ToolFailed if new ones come for more than five seconds.
    """
    if _leaders or os.getpid() not in _adapters & _adopting:
        return
    deadline = time.monotonic() + _PATIENCE_S
    while found := _list_orphans():
        for pid in found:
            # Not reaped yet, so the number is still its own.
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        if time.monotonic() > deadline:
            message = f"a tool left {len(found)} processes behind that can't be ended"
            raise ToolFailed(message, hint="find what starts processes in a loop")
        time.sleep(_PAUSE_S)


def _list_orphans() -> list[int]:
    own, session = os.getpid(), os.getsid(0)
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208 - of all processes
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123 - of all processes
                # The name of the program, in parentheses, may hold anything.
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == own and int(fields[3]) != session:
            found.append(int(name))
    return found
