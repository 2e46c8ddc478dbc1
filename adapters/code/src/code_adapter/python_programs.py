"""Start pytest and coverage from the environment, not from files of the subject with these names.

``python -m pytest`` searches the working directory first, so a ``pytest.py`` there would judge its own tests.
"""

from __future__ import annotations

from collections.abc import Sequence

_START = """
import os, runpy, sys
here = [os.getcwd()] if sys.path[0] == "" else []
del sys.path[:len(here)]
exec(sys.argv.pop(1))
sys.path[:0] = here
runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
"""
"""Then makes the working directory importable, as projects expect of ``python -m``."""


def module_command(executable: str, module: str, *also: str) -> list[str]:
    """Make ``executable -m module`` that imports ``module`` and ``also`` from outside the working directory."""
    imports = "; ".join(f"import {name}" for name in (module, *also))
    return [executable, "-c", _START, imports, module]


def to_command_line(argv: Sequence[str]) -> list[str]:
    """Convert an argument vector to the usual form: ``python -m module ...``."""
    if len(argv) > 4 and argv[2] == _START:
        return ["python", "-m", *argv[4:]]
    return ["python", *argv[1:]]
