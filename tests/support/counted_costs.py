"""Count what a call of the gate costs in a way that a busy machine doesn't change: calls, modules, system calls.

    python -I counted_costs.py OUT ARGUMENTS...

runs ``gate ARGUMENTS`` in this process, and writes to OUT how many functions were called (of Python and of C, in all
threads) and how many modules are loaded at the end. ``count`` does that, and counts system calls with strace.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path

WAITING = ("futex", "poll", "epoll_wait", "epoll_pwait", "wait4", "waitid", "select", "pselect6")
"""System calls whose number is a matter of time."""
MEMORY = ("brk", "mmap", "mremap", "munmap", "mprotect", "madvise")
"""System calls whose number is a matter of the allocator."""
_WALK = "AT_SYMLINK_NOFOLLOW"
"""In a look at each part of a path, as it is resolved: their number is how deep the folder lies."""


def main() -> None:
    """Run the gate, and write the counts, however it ends."""
    out, *arguments = sys.argv[1:]
    sys.argv = ["gate", *arguments]
    called = 0

    def note(_frame: object, event: str, _value: object) -> None:
        nonlocal called
        called += event in {"call", "c_call"}

    end = os._exit

    def finish(code: int) -> None:
        sys.setprofile(None)
        for thread in threading.enumerate():
            # What one still loads is loaded or not, as time would have it.
            if thread is not threading.main_thread():
                thread.join(10)
        Path(out).write_text(json.dumps({"calls": called, "modules": len(sys.modules)}), encoding="utf-8")
        end(code)

    # The gate ends without taking down what it has loaded.
    os._exit = finish  # type: ignore[assignment] # it returns no more than the other
    sys.setprofile(note)
    threading.setprofile(note)
    from verigate.cli import main as gate

    gate()
    finish(0)


def count(arguments: tuple[str, ...], cwd: Path, environ: Mapping[str, str]) -> dict[str, int]:
    """Count a call's functions, modules, and the system calls that it makes beyond those of a bare Python."""
    with tempfile.TemporaryDirectory() as scratch:
        out, traced = Path(scratch, "counts.json"), Path(scratch, "strace")
        own = (sys.executable, "-I", __file__, str(out), *arguments)
        subprocess.run(own, cwd=cwd, env=environ, capture_output=True, check=False)
        system = []
        for program in ("pass", "from verigate.cli import main; main()"):
            gate = (sys.executable, "-I", "-c", program, *arguments)
            strace = ("strace", "-o", str(traced), "-e", f"trace=!{','.join(WAITING + MEMORY)}", "--", *gate)
            subprocess.run(strace, cwd=cwd, env=environ, capture_output=True, check=True)
            lines = traced.read_text(encoding="utf-8", errors="replace").splitlines()
            system.append(sum(not line.startswith(("+++", "---")) and _WALK not in line for line in lines))
        return {**json.loads(out.read_bytes()), "system_calls": system[1] - system[0]}


if __name__ == "__main__":
    main()
