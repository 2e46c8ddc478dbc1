"""Run xo, standard and oxlint where a script calls them or the project configures them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from code_adapter.detection import Missing, Unexamined
from code_adapter.environment import TOOL_TIMEOUT_S, find_node_tool, make_tool_environ, read_node_package_version
from code_adapter.lint.eslint import run_like_eslint
from code_adapter.lint.linters import Linter
from code_adapter.lint.node_calls import find_linter_calls, find_unprocessed, read_lint_arguments
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.node_programs import explain_missing
from code_adapter.testing.node_workspaces import join_path, read_package
from verigate.sdk import Request, run_tool
from verigate.sdk.declared_tools import UNREAD_OF_NODE
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.npm_scripts import LinterCall
from verigate.sdk.reports.lint import LintRun
from verigate.sdk.reports.sarif import LintFinding
from verigate.sdk.reports.untrusted import ReportInvalid, count_of, parse_json_object

_STANDARD = ("standard", "semistandard", "ts-standard")
_CONFIGS = {
    "xo": re.compile(r"xo\.config\.\w+|\.xo-config(?:\.\w+)?"),
    "oxlint": re.compile(r"\.?oxlint(?:rc)?\.json"),
}
_REPORTER = Path(__file__).with_name("standard_report.mjs")
_DROPPED = re.compile(
    r"--(?:fix|fix-suggestions|fix-dangerously|reporter|format|quiet|silent|max-warnings|deny-warnings|verbose|global"
    r"|threads|open|prettier-write)(?:=|$)|-f$"
)
_WITH_VALUE = re.compile(r"--(?:reporter|format|max-warnings|threads)|-f")


def detect(request: Request, files: SubjectFiles) -> Iterator[Linter | Missing | Unexamined]:
    """Yield a run for each call; for a configuration without a call, of the linter on all files."""
    for folder in files.projects("package.json"):
        for tool in ("xo", *_STANDARD, "oxlint"):
            for call in _find_calls(files, folder, tool):
                yield _make(request, files, folder, tool, call)
        for tool in UNREAD_OF_NODE:
            if find_linter_calls(files, folder, tool):
                yield Unexamined(tool, join_path(folder, "package.json"), "its report can't be read here")


def _find_calls(files: SubjectFiles, folder: str, tool: str) -> tuple[LinterCall, ...]:
    if calls := find_linter_calls(files, folder, tool):
        return calls
    config = _CONFIGS.get(tool)
    names = {path.rpartition("/")[2] for path in files.below(folder) if path.rpartition("/")[0] == folder}
    configured = config is not None and any(config.fullmatch(name) for name in names)
    if configured or (tool == "xo" and "xo" in read_package(files, folder)):
        return (LinterCall(tool),)
    return ()


def _make(request: Request, files: SubjectFiles, folder: str, tool: str, call: LinterCall) -> Linter | Missing:
    program = find_node_tool(request, files, folder, tool)
    node = shutil.which("node", path=make_tool_environ(request)["PATH"])
    if program is None or node is None:
        return Missing(tool, folder, explain_missing(request, files, folder, tool))
    words = read_lint_arguments(request.repo_root / folder / call.folder, call, _DROPPED, _WITH_VALUE)
    if tool == "oxlint":
        return Linter(tool, folder, partial(run_oxlint, request, folder, call, (program, *words, "-f", "json")))
    if tool == "xo":
        argv = (program, *words, "--reporter=json")
    else:
        argv = (node, str(_REPORTER), tool, *(word for word in words if not word.startswith("-")))
    return Linter(tool, folder, partial(run_like_eslint, request, folder, call, argv, tool))


def run_oxlint(request: Request, folder: str, call: LinterCall, argv: tuple[str, ...]) -> LintRun:
    """Return findings. Raises ToolFailed if oxlint left no report or contradicts its exit code."""
    texts = Texts(request.repo_root)
    place = request.repo_root / folder / call.folder
    env = make_tool_environ(request, **dict(call.variables))
    run = run_tool(argv, cwd=place, timeout_s=TOOL_TIMEOUT_S, env=env)
    if run.exit_code not in {0, 1} or run.truncated:
        raise run.as_failure(f"oxlint ended with {run.ended}")
    try:
        report = parse_json_object(run.stdout, "oxlint")
        inside = place.relative_to(request.repo_root).as_posix().removeprefix(".")
        findings = tuple(sorted(_read_oxlint(item, inside, texts) for item in report["diagnostics"]))
        checked = _count_files(report)
    except (ReportInvalid, KeyError, TypeError, AttributeError) as problem:
        raise run.as_failure(f"oxlint left no readable report ({problem})") from problem
    if (run.exit_code == 1) != any(finding.severity == "error" for finding in findings):
        raise run.as_failure(f"oxlint ended with {run.ended}, which its findings contradict")
    version = read_node_package_version(request, folder, "oxlint")
    files = tuple(sorted({finding.path for finding in findings}))

    def count(words: Sequence[str]) -> int:
        again = run_tool((argv[0], *words), cwd=place, timeout_s=TOOL_TIMEOUT_S, env=env)
        return _count_files(parse_json_object(again.stdout, "oxlint"))

    ask = partial(find_unprocessed, request.repo_root, place, argv[1:], count)
    shown = tuple(texts.argv(run.argv))
    return LintRun("oxlint", version, folder, files, findings, shown, run.exit_code or 0, checked, ask)


def _count_files(report: dict[str, Any]) -> int:
    return count_of(report.get("number_of_files"), "number_of_files", "oxlint")


def _read_oxlint(item: dict[str, Any], folder: str, texts: Texts) -> LintFinding:
    labels = item.get("labels") or [{}]
    span = labels[0].get("span") or {}
    name = str(item.get("filename") or "")
    return LintFinding(
        texts.path(name, folder) or texts.message(name),
        int(span.get("line") or 0),
        int(span.get("column") or 0),
        str(item.get("code") or "syntax-error"),
        "warning" if item.get("severity") == "warning" else "error",
        texts.message(str(item.get("message") or "")),
        "oxlint",
    )
