"""Run strace(1) around a program for the system calls that fail: paths, addresses, programs, rights.

The trace lies where the traced program may write, so it is hostile text: nothing follows from it but a question.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence

from msgspec import Struct

TRACE_NAME = ".verigate-failed-calls"
MAX_BYTES = 64 * 1024 * 1024
"""The first bytes of a trace that are read."""

_CALLS = (
    "%file,connect,sendto,sendmsg,sendmmsg,recvfrom,recvmsg,ptrace,mount,umount2,unshare,setns,setuid,setgid,setgroups,"
    "setresuid,setresgid,chroot,perf_event_open,bpf,sched_setaffinity,setrlimit,prlimit64"
)
_PROBE_TIMEOUT_S = 10


class FailedCallTracer(Struct, frozen=True):
    """A strace that works here, by its absolute path."""

    path: str

    def wrap(self, argv: Sequence[str], trace: str) -> tuple[str, ...]:
        """Return ``argv`` under the tracer, which writes failed calls to the file ``trace``."""
        options = ("-D", "-f", "-yy", "-Z", "--seccomp-bpf", "-s", "256", "-e", "signal=none", "-e", f"trace={_CALLS}")
        return (self.path, *options, "-o", trace, "--", *argv)


def find_failed_call_tracer(environ: Mapping[str, str]) -> FailedCallTracer | None:
    """Find the machine's strace if it can trace here, tried by tracing true(1); else None."""
    path = shutil.which("strace", path=environ.get("PATH", os.defpath))
    true = shutil.which("true", path=os.defpath)
    if path is None or true is None:
        return None
    tracer = FailedCallTracer(os.path.realpath(path))
    try:
        done = subprocess.run(
            tracer.wrap([true], os.devnull), capture_output=True, check=False, timeout=_PROBE_TIMEOUT_S, env={}
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return tracer if done.returncode == 0 else None


def read_failed_calls(path: str) -> bytes:
    """Read what the tracer wrote, up to MAX_BYTES; empty where there is no regular file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb") as stream:
        try:
            return stream.read(MAX_BYTES)
        except OSError:
            return b""
