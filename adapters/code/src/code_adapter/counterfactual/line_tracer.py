"""Note which lines of chosen files run in which tests, where a project's Python has no coverage.py.

Usage: python line_tracer.py SETTINGS SCRIPT ...   or ``start(SETTINGS)`` in the process that runs the tests.
SETTINGS is JSON with ``files``, whose lines are noted, and ``folder``, where ``{file: {line: [test]}}`` is written.
"""

# This file must run on Pythons that pathlib's newer methods are not in:
# ruff: noqa: PTH118, PTH120, PTH123

from __future__ import annotations

import atexit
import json
import os
import runpy
import sys
import threading
from typing import Any


def start(settings: str) -> None:
    """Begin to note lines; what was noted is written when the process ends."""
    with open(settings) as stream:
        chosen = json.load(stream)
    files = frozenset(chosen["files"])
    seen: dict[str, dict[int, set[str]]] = {}
    test = [""]

    def note(frame: Any, event: str, _: Any) -> Any:
        if event == "line":
            seen.setdefault(frame.f_code.co_filename, {}).setdefault(frame.f_lineno, set()).add(test[0])
        return note

    def end(_: Any, event: str, __: Any) -> Any:
        if event == "return":
            test[0] = ""
        return end

    def enter(frame: Any, _: str, __: Any) -> Any:
        code = frame.f_code
        if code.co_filename in files:
            return note
        if not test[0] and code.co_name.startswith("test"):
            owner = frame.f_locals.get("self")
            names = [frame.f_globals.get("__name__", ""), type(owner).__name__ if owner is not None else ""]
            test[0] = ".".join([name for name in names if name] + [code.co_name])
            return end
        return None

    def write() -> None:
        sys.settrace(None)
        lines = {path: {line: sorted(tests) for line, tests in found.items()} for path, found in seen.items()}
        with open(os.path.join(chosen["folder"], f"lines-{os.getpid()}.json"), "w") as stream:
            json.dump(lines, stream)

    atexit.register(write)
    threading.settrace(enter)
    sys.settrace(enter)


if __name__ == "__main__":
    del sys.argv[0]
    start(sys.argv.pop(0))
    # As Python does for a script.
    sys.path[0] = os.path.dirname(sys.argv[0])
    runpy.run_path(sys.argv[0], run_name="__main__")
