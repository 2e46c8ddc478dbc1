"""Whether Python's compiled code lies beside the adapters: in a sandbox nobody can write it, and each call compiles.

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
    """How many Python files of the adapters in this folder have none."""
    return sum(not Path(cache_from_source(str(path))).is_file() for path in adapters.glob("*/src/**/*.py"))


def write_bytecode(adapters: Path, libraries: Path | None = None) -> int:
    """Compile adapters that aren't, with the ``libraries`` beside the gate; returns how many files gained it.

    Raises ExecutionError where nobody may write there.
    """
    before = count_without_bytecode(adapters)
    if not before:
        return 0
    folders = (str(adapters), str(libraries or sysconfig.get_path("purelib")))
    argv = (sys.executable, "-m", "compileall", "-q", "-j", "0", *folders)
    # Its exit code tells of any file that is no Python in spite of its name, as templates are.
    null = subprocess.DEVNULL
    subprocess.run(argv, check=False, stdin=null, stdout=null, stderr=null)
    if after := count_without_bytecode(adapters):
        hint = "ask whoever may write there"
        raise ExecutionError(f"{after} files could not be compiled", where=str(adapters), hint=hint)
    return before
