"""Check for compiled bytecode next to the adapters: a sandbox can't write it, so without it each call compiles.

pip writes it as it installs; uv does only with ``--compile-bytecode``.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from importlib.util import cache_from_source
from pathlib import Path

from verigate.errors import ExecutionError


def count_without_bytecode(adapters: Path) -> int:
    """Count the Python files of the adapters in this folder that have none."""
    return sum(not Path(cache_from_source(str(path))).is_file() for path in adapters.glob("*/src/**/*.py"))


def write_bytecode(adapters: Path, libraries: Path | None = None) -> int:
    """Compile adapters without it, and the ``libraries`` next to the gate; return how many files gained it.

    Raises ExecutionError where writing is not permitted.
    """
    before = count_without_bytecode(adapters)
    if not before:
        return 0
    folders = (str(adapters), str(libraries or sysconfig.get_path("purelib")))
    argv = (sys.executable, "-m", "compileall", "-q", "-j", "0", *folders)
    # Ignore its exit code: some files with the name of a Python file are templates.
    null = subprocess.DEVNULL
    subprocess.run(argv, check=False, stdin=null, stdout=null, stderr=null)
    if after := count_without_bytecode(adapters):
        hint = "run it as a user who may write there"
        raise ExecutionError(f"{after} files could not be compiled", where=str(adapters), hint=hint)
    return before
