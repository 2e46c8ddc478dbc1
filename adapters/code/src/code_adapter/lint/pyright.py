"""Run pyright or basedpyright in the folder of its settings. Errors and warnings are its own; information is none.

Source: pyright, "Command-line", JSON output.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from code_adapter.environment import PROBE_TIMEOUT_S, TOOL_TIMEOUT_S, make_tool_environ
from code_adapter.python_environment import Python
from verigate.sdk import Request, clean_text, run_tool
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.lint import LintRun
from verigate.sdk.reports.sarif import LintFinding
from verigate.sdk.reports.untrusted import ReportInvalid, count_of, parse_json_object

_SEVERITIES = ("error", "warning")


def read_version(request: Request, python: Python | None, program: str) -> str | None:
    """Return the version of ``program``; None if it can't start: some have to fetch a part of themselves first."""
    env = make_environ(request, python)
    run = run_tool([program, "--version"], cwd=request.repo_root, timeout_s=PROBE_TIMEOUT_S, env=env)
    lines = clean_text(run.stdout).split()
    return lines[1] if run.exit_code == 0 and len(lines) > 1 and "pyright" in lines[0] else None


def make_environ(request: Request, python: Python | None) -> dict[str, str]:
    """Make the environment of pyright, in which the project's Python is the active one."""
    env = make_tool_environ(request) if python is None else python.make_environ(request)
    kept = {name: value for name, value in env.items() if not name.startswith("PYRIGHT_")}
    return kept | {"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}


def run_pyright(
    request: Request, folder: str, python: Python | None, program: tuple[str, str], version: str
) -> LintRun:
    """Return findings and the number of files. ``program`` is name and path. Raises ToolFailed without a report."""
    name, path = program
    texts = Texts(request.repo_root)
    argv = [path, "--outputjson"]
    place = request.repo_root / folder
    run = run_tool(argv, cwd=place, timeout_s=TOOL_TIMEOUT_S, env=make_environ(request, python))
    if run.exit_code not in {0, 1} or run.truncated:
        raise run.as_failure(f"{name} ended with {run.ended}", where=folder or ".")
    try:
        report = parse_json_object(run.stdout, name)
        found = tuple(sorted(_read_findings(report, name, folder, texts)))
        summary = report["summary"]
        checked = count_of(summary["filesAnalyzed"], "filesAnalyzed", name)
        stated = [count_of(summary[f"{severity}Count"], f"{severity}Count", name) for severity in _SEVERITIES]
    except (ReportInvalid, KeyError, TypeError, ValueError, AttributeError) as problem:
        raise run.as_failure(f"{name} left no readable report ({problem})", where=folder or ".") from problem
    listed = [sum(item.severity == severity for item in found) for severity in _SEVERITIES]
    # With failOnWarnings, exit code 1 may be that of warnings alone.
    if listed != stated or (listed[0] and not run.exit_code) or (run.exit_code and not found):
        raise run.as_failure(f"{name} ended with {run.ended}, counts {stated} and lists {listed}", where=folder or ".")
    return LintRun(name, version, folder, (), found, tuple(texts.argv(argv)), run.exit_code or 0, checked)


def _read_findings(report: Mapping[str, Any], tool: str, folder: str, texts: Texts) -> Iterator[LintFinding]:
    for item in report["generalDiagnostics"]:
        if item["severity"] in _SEVERITIES:
            start = item.get("range", {}).get("start", {"line": -1, "character": -1})
            yield LintFinding(
                texts.path(item["file"], folder) or texts.message(item["file"]),
                int(start["line"]) + 1,
                int(start["character"]) + 1,
                texts.message(item.get("rule", "")),
                item["severity"],
                texts.message(item["message"]),
                tool,
            )
