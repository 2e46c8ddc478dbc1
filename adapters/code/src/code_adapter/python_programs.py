"""Start pytest and coverage from the environment, not from files of the subject with these names.

``python -m pytest`` searches the working directory first, so a ``pytest.py`` there would judge its own tests.
"""

from __future__ import annotations

from collections.abc import Sequence

IMPORT_PATH = "VERIGATE_IMPORT_PATH"
"""A variable with a folder of the subject from which tests import first. PYTHONPATH would apply to their runner."""

_START = f"""
import gc, os, sys
gc.disable()
here = [os.getcwd()] if sys.path[0] == "" else []
del sys.path[:len(here)]
import runpy
exec(sys.argv.pop(1))
gc.freeze()
gc.enable()
first = os.environ.pop("{IMPORT_PATH}", None)
if first is not None:
    here.append(first)
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [first, os.environ.get("PYTHONPATH")]))
sys.path[:0] = here
runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
"""
"""Then makes the working directory importable, as projects expect of ``python -m``.

What the runner loads stays until the end. Looking through it for garbage takes a fifth of a short run.
"""


def module_command(executable: str, module: str, *also: str, then: str = "") -> list[str]:
    """Make ``executable -m module`` that imports ``module`` and ``also`` from outside the working directory.

    ``then`` is code that runs between that and the module.
    """
    imports = "; ".join([*(f"import {name}" for name in (module, *also)), *([then] if then else [])])
    return [executable, "-c", _START, imports, module]


def to_command_line(argv: Sequence[str]) -> list[str]:
    """Convert an argument vector to the usual form: ``python -m module ...``."""
    if len(argv) > 4 and argv[2] == _START:
        return ["python", "-m", *argv[4:]]
    return ["python", *argv[1:]]
