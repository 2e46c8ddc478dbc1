"""Compile Python files without running or writing anything; started with the project's Python.

Usage: python compile_check.py LIST REPORT   LIST holds the paths, each ended by NUL.
"""

# This file must run on Pythons that pathlib's newer methods are not in:
# ruff: noqa: PTH123

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import Any


def check(path: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the errors and the warnings of one file."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with open(path, "rb") as stream:
                compile(stream.read(), path, "exec", dont_inherit=True)
        except SyntaxError as error:
            found = {"line": error.lineno or 0, "column": error.offset or 0, "message": str(error.msg)}
            return [dict(found, path=path)], []
        except (ValueError, RecursionError, MemoryError, OSError) as error:
            return [{"path": path, "line": 0, "column": 0, "message": f"{type(error).__name__}: {error}"}], []
    warned = [{"path": path, "line": item.lineno, "column": 0, "message": str(item.message)} for item in caught]
    return [], warned


def main(listed: str, report: str) -> int:
    """Check every path; returns 0 when all compile, else 1."""
    with open(listed, "rb") as stream:
        paths = [os.fsdecode(path) for path in stream.read().split(b"\0") if path]
    answer: dict[str, Any] = {"complete": True, "checked": len(paths), "errors": [], "warnings": []}
    for path in paths:
        errors, warned = check(path)
        answer["errors"] += errors
        answer["warnings"] += warned
    with open(report, "w", encoding="ascii") as stream_out:
        json.dump(answer, stream_out)
    return int(bool(answer["errors"]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
