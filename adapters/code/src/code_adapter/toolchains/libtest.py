"""Let libtest print JSON, which stable Rust allows with RUSTC_BOOTSTRAP only, and nobody else see that variable.

It would make build scripts and rustc take the compiler for a nightly one, and cargo compile everything again. So it is
set where a test program or rustdoc starts, and removed where a test starts cargo or rustc.
"""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from code_adapter.environment import PROBE_TIMEOUT_S
from verigate.sdk import Request, run_tool

_CLEANED = ("cargo", "rustc", "rustdoc")


@contextmanager
def bootstrap_for_tests(request: Request, env: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Make the variables with which cargo starts test programs and rustdoc through scripts of a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="verigate-") as place:
        folder = Path(place)
        clean = folder / "bin"
        clean.mkdir()
        for name in _CLEANED:
            if (program := shutil.which(name, path=env.get("PATH"))) is not None:
                _write(clean / name, f'unset RUSTC_BOOTSTRAP\nexec {shlex.quote(program)} "$@"')
        own = f"PATH={shlex.quote(str(clean))}:$PATH\nexport RUSTC_BOOTSTRAP=1\n"
        # Tests also find cargo by this variable.
        own += f'if [ -n "$CARGO" ]; then CARGO={shlex.quote(str(clean / "cargo"))}; fi\n'
        _write(folder / "start", f'{own}exec "$@"')
        variables = {f"CARGO_TARGET_{_read_host(request, env)}_RUNNER": str(folder / "start")}
        if (rustdoc := shutil.which("rustdoc", path=env.get("PATH"))) is not None:
            _write(folder / "rustdoc", f'RUSTC_BOOTSTRAP=1 exec {shlex.quote(rustdoc)} "$@"')
            variables["RUSTDOC"] = str(folder / "rustdoc")
        yield variables


def _read_host(request: Request, env: Mapping[str, str]) -> str:
    run = run_tool(["rustc", "-vV"], cwd=request.repo_root, timeout_s=PROBE_TIMEOUT_S, env=env)
    lines = dict(line.split(": ", 1) for line in run.stdout.decode("utf-8", "replace").splitlines() if ": " in line)
    return lines.get("host", "").upper().replace("-", "_").replace(".", "_")


def _write(path: Path, script: str) -> None:
    path.write_bytes(os.fsencode(f"#!/bin/sh\n{script}\n"))
    path.chmod(0o755)
