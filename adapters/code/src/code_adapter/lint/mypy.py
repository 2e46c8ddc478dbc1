"""Run mypy on what its settings name, from the project's environment. Each error is one; notes are none.

Without a cache, and with the JSON of mypy 1.11 and later: one object for each line.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from code_adapter.environment import PROBE_TIMEOUT_S, TOOL_TIMEOUT_S
from code_adapter.python_environment import Python
from verigate.sdk import Request, ToolRun, clean_text, run_tool
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.lint import LintRun
from verigate.sdk.reports.sarif import LintFinding

_TOOL = "mypy"
_OPTIONS = ("--output=json", "--no-incremental", "--cache-dir=/dev/null")
_COUNTS = "linecount.txt"
"""What ``--linecount-report`` writes: a line for each file that mypy was given, after one of all."""

_OLDEST = (1, 11)
_VERSION = re.compile(r"^mypy (?P<version>(?P<major>\d+)\.(?P<minor>\d+)\S*)")
_FOUND = 1
_STOPPED = 2
"""mypy found errors that kept it from checking the rest, such as of syntax, or didn't start."""


def read_version(request: Request, python: Python, program: str) -> str | None:
    """Return the version of ``program``, or None if it doesn't say one or is older than 1.11, which wrote no JSON."""
    env = make_environ(request, python)
    run = run_tool([program, "--version"], cwd=request.repo_root, timeout_s=PROBE_TIMEOUT_S, env=env)
    found = _VERSION.match(clean_text(run.stdout))
    if run.exit_code or found is None or (int(found["major"]), int(found["minor"])) < _OLDEST:
        return None
    return found["version"]


def make_environ(request: Request, python: Python) -> dict[str, str]:
    """Make the environment of mypy: no variable of the caller changes what it checks."""
    env = python.make_environ(request)
    return {name: value for name, value in env.items() if not name.startswith("MYPY")}


def run_mypy(request: Request, folder: str, python: Python, program: str, version: str) -> LintRun:
    """Return the errors and the number of files. Raises ToolFailed if its output contradicts how it ended."""
    texts = Texts(request.repo_root)
    argv = [program, *_OPTIONS]
    with tempfile.TemporaryDirectory(prefix="verigate-") as place:
        run = run_tool(
            [*argv, "--linecount-report", place],
            cwd=request.repo_root / folder,
            timeout_s=TOOL_TIMEOUT_S,
            env=make_environ(request, python),
        )
        counts = Path(place) / _COUNTS
        given = len(counts.read_bytes().splitlines()) - 1 if counts.is_file() and run.exit_code != _STOPPED else 0
    if run.exit_code not in {0, _FOUND, _STOPPED} or run.truncated:
        raise run.as_failure(f"mypy ended with {run.ended}", where=folder or ".")
    found = tuple(sorted(_read_findings(run, folder, texts)))
    if bool(found) != (run.exit_code != 0):
        raise run.as_failure(f"mypy ended with {run.ended} but reports {len(found)} errors", where=folder or ".")
    checked = given or len({finding.path for finding in found})
    if not checked:
        raise run.as_failure("mypy names no file that it checked", where=folder or ".")
    return LintRun(_TOOL, version, folder, (), found, tuple(texts.argv(argv)), run.exit_code or 0, checked)


def _read_findings(run: ToolRun, folder: str, texts: Texts) -> Iterator[LintFinding]:
    try:
        for line in filter(None, clean_text(run.stdout).splitlines()):
            item: Mapping[str, Any] = json.loads(line)
            if item["severity"] == "error":
                yield LintFinding(
                    texts.path(item["file"], folder) or texts.message(item["file"]),
                    max(int(item["line"]), 0),
                    max(int(item["column"]), 0),
                    texts.message(item["code"] or ""),
                    "error",
                    texts.message(item["message"]),
                    _TOOL,
                )
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as problem:
        raise run.as_failure(f"mypy left no readable report ({problem})", where=folder or ".") from problem
