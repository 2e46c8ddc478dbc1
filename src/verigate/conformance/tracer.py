"""Run strace(1) around an adapter: what it starts, requests and writes, seen from outside.

The tracer is a grandchild (``-D``): the adapter stays the child of the sandbox's guard, ends with its own exit code,
and what it leaves behind doesn't delay its end.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

TRACE_FILE = ".verigate-trace"
MAX_TRACE_BYTES = 256 * 1024 * 1024
_CALLS = "trace=%file,%process,fchdir,connect,sendto,sendmsg,sendmmsg"
_PROBE_TIMEOUT_S = 10


class TraceDelay(Struct, frozen=True):
    """Where a call is delayed, and how many seconds each time: at its ``artifacts``, or at any rename.

    A file that is written next to its place and then moved there is delayed by its move alone: strace looks at a
    rename's first path only.
    """

    seconds: float
    artifacts: tuple[str, ...]
    at_renames: bool

    @property
    def options(self) -> tuple[str, ...]:
        """The options of strace."""
        calls = "?rename,?renameat,?renameat2" if self.at_renames else "%file,write,pwrite64,writev,close"
        paths = () if self.at_renames else (option for path in self.artifacts for option in ("-P", path))
        return (*paths, "-e", f"inject={calls}:delay_exit={round(self.seconds * 1_000_000)}")


class Tracer(Struct, frozen=True):
    """A working strace: its absolute path and its version."""

    path: str
    version: str

    def wrap(self, argv: Sequence[str], trace: str, hold: TraceDelay | None = None) -> tuple[str, ...]:
        """Return ``argv`` under the tracer, which writes to the file ``trace``; delayed where ``hold`` says so."""
        options = ("-D", "-f", "-y", "--seccomp-bpf", "-s", "4096", "-e", "signal=none")
        what = ("-e", _CALLS) if hold is None else ("-e", f"{_CALLS},write,pwrite64,writev,close", *hold.options)
        return (self.path, *options, *what, "-o", trace, "--", *argv)


def find_tracer(environ: Mapping[str, str]) -> Tracer | None:
    """Find the machine's strace if it can trace here, tried by tracing true(1); else None."""
    path = shutil.which("strace", path=environ.get("PATH", os.defpath))
    true = shutil.which("true", path=os.defpath)
    if path is None or true is None:
        return None
    tracer = Tracer(os.path.realpath(path), "")
    version = _read_output(tracer.path, "-V")
    if version is None or _read_output(*tracer.wrap([true], os.devnull)) is None:
        return None
    return Tracer(tracer.path, version.splitlines()[0].rpartition(" ")[2] if version else "")


def _read_output(*argv: str) -> str | None:
    try:
        done = subprocess.run(
            argv, capture_output=True, check=False, timeout=_PROBE_TIMEOUT_S, env={}, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode(errors="replace") if done.returncode == 0 else None


def read_trace(path: Path) -> bytes | None:
    """Read what a tracer wrote; None if there is nothing, or something that no tracer writes."""
    try:
        # The adapter could have put anything in its place.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    with os.fdopen(descriptor, "rb") as file:
        try:
            content = file.read(MAX_TRACE_BYTES + 1)
        except OSError:
            return None
    # A file emptied meanwhile begins with a hole: the tracer continues at its old position.
    whole = 0 < len(content) <= MAX_TRACE_BYTES and b"\0" not in content and b"execve(" in content.partition(b"\n")[0]
    return content if whole else None
