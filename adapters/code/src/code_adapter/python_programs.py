"""Starting pytest and coverage so that the environment's are meant, not files of the subject with these names.

``python -m pytest`` looks in the working directory first: a ``pytest.py`` there would be the judge of its own tests.
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
"""Afterwards the working directory is importable, as projects expect of ``python -m``."""


def module_command(executable: str, module: str, *also: str) -> list[str]:
    """``executable -m module``, with ``module`` and the modules ``also`` from outside the working directory."""
    imports = "; ".join(f"import {name}" for name in (module, *also))
    return [executable, "-c", _START, imports, module]


def shown(argv: Sequence[str]) -> list[str]:
    """An argument vector as one would type it: ``python -m module ...``."""
    if len(argv) > 4 and argv[2] == _START:
        return ["python", "-m", *argv[4:]]
    return ["python", *argv[1:]]
