"""Run biome as the project's scripts do, and read its JSON: errors and warnings as biome says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from code_adapter.detection import Missing
from code_adapter.environment import TOOL_TIMEOUT_S, find_node_tool, make_tool_environ, read_node_package_version
from code_adapter.lint.linters import Linter
from code_adapter.lint.node_calls import find_linter_calls, find_unprocessed, read_lint_arguments
from code_adapter.subject_files import NOT_PROJECTS, SubjectFiles, filter_topmost
from code_adapter.testing.node_programs import explain_missing
from verigate.sdk import Request, ToolFailed, ToolRun, run_tool
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.npm_scripts import LinterCall
from verigate.sdk.reports.lint import LintRun
from verigate.sdk.reports.sarif import LintFinding
from verigate.sdk.reports.untrusted import ReportInvalid, count_of, parse_json_object

_CONFIG = re.compile(r"(?:^|/)\.?(?:biome|rome)\.jsonc?$")
_DROPPED = re.compile(
    r"--(?:write|check|apply|apply-unsafe|fix|unsafe|reporter|max-diagnostics|colors|error-on-warnings|verbose|staged|changed"
    r"|since|no-errors-on-unmatched|log-level|diagnostic-level)\b"
)
_WITH_VALUE = re.compile(r"--(?:reporter|max-diagnostics|colors|since|log-level|diagnostic-level)")
_COMMANDS = frozenset({"lint", "check", "ci", "format"})
_NOTES = frozenset({"information", "hint"})


def detect(request: Request, files: SubjectFiles) -> Iterator[Linter | Missing]:
    """Yield a run for each call in the scripts of a topmost folder with a configuration; else of ``biome lint``."""
    folders = {path.rpartition("/")[0] for path in files.paths if _CONFIG.search(path)}
    own = sorted(folder for folder in folders if not NOT_PROJECTS.intersection(folder.split("/")))
    for folder in filter_topmost(own):
        program = find_node_tool(request, files, folder, "biome")
        calls = [call for call in find_linter_calls(files, folder, "biome") if call.arguments[:1]]
        calls = [call for call in calls if call.arguments[0] in _COMMANDS]
        for call in calls or [LinterCall("biome", ("lint", "."))]:
            if program is None:
                yield Missing("biome", folder, explain_missing(request, files, folder, "biome"))
            else:
                yield Linter("biome", folder, partial(run_biome, request, folder, program, call))


def run_biome(request: Request, folder: str, program: str, call: LinterCall) -> LintRun:
    """Return findings. Raises ToolFailed if biome left no report or contradicts its exit code."""
    texts = Texts(request.repo_root)
    place = request.repo_root / folder / call.folder
    words = read_lint_arguments(place, call, _DROPPED, _WITH_VALUE)
    options = ["--reporter=json", "--max-diagnostics=none", "--colors=off"]
    argv = [program, *words, *options]
    env = make_tool_environ(request, **dict(call.variables))
    run = run_tool(argv, cwd=place, timeout_s=TOOL_TIMEOUT_S, env=env)
    if run.exit_code not in {0, 1} or run.truncated:
        raise run.as_failure(f"biome ended with {run.ended}")
    try:
        report = parse_json_object(run.stdout, "biome")
        summary = report["summary"]
        checked = _count_files(report)
        findings = tuple(sorted(_read(item, folder, texts) for item in report["diagnostics"]))
        stated = count_of(summary.get("errors"), "errors", "biome")
    except (ReportInvalid, KeyError, TypeError, AttributeError) as problem:
        raise run.as_failure(f"biome left no readable report ({problem})") from problem
    _check(run, findings, stated)
    version = read_node_package_version(request, folder, "@biomejs/biome")
    files = tuple(sorted({finding.path for finding in findings if finding.path}))

    def count(chosen: Sequence[str]) -> int:
        again = run_tool([program, *chosen, *options], cwd=place, timeout_s=TOOL_TIMEOUT_S, env=env)
        return _count_files(parse_json_object(again.stdout, "biome"))

    ask = partial(find_unprocessed, request.repo_root, place, words, count)
    shown = tuple(texts.argv(argv))
    return LintRun("biome", version, folder, files, findings, shown, run.exit_code or 0, checked, ask)


def _count_files(report: dict[str, Any]) -> int:
    """Count the files that biome processed. Raises ReportInvalid."""
    summary = report.get("summary")
    if not isinstance(summary, dict):
        raise ReportInvalid("the report of biome has no summary")
    return sum(count_of(summary.get(name), name, "biome") for name in ("changed", "unchanged"))


def _check(run: ToolRun, findings: tuple[LintFinding, ...], stated: int) -> None:
    """Raise ToolFailed if the findings aren't those that biome counted, or contradict its exit code."""
    errors = sum(finding.severity == "error" for finding in findings)
    if errors != stated or (errors > 0 and run.exit_code == 0):
        raise run.as_failure(f"biome ended with {run.ended}, states {stated} errors and lists {errors}")
    if run.exit_code and not findings:
        raise ToolFailed(run.add_cause(f"biome ended with {run.ended} without a finding"))


def _read(item: dict[str, Any], folder: str, texts: Texts) -> LintFinding:
    location = item.get("location") or {}
    raw = location.get("path")
    name = raw.get("file") if isinstance(raw, dict) else raw
    line, column = _read_place(location)
    severity = str(item.get("severity"))
    return LintFinding(
        (texts.path(name, folder) or texts.message(name)) if isinstance(name, str) else "",
        line,
        column,
        str(item.get("category") or ""),
        "warning" if severity == "warning" else "info" if severity in _NOTES else "error",
        texts.message(str(item.get("description") or item.get("message") or "")),
        "biome",
    )


def _read_place(location: dict[str, Any]) -> tuple[int, int]:
    """``span`` are offsets in bytes of ``sourceCode``; later versions may name line and column."""
    start = location.get("start")
    if isinstance(start, dict):
        return _count(start.get("line")), _count(start.get("column"))
    span, source = location.get("span"), location.get("sourceCode")
    if not isinstance(span, list) or not span or not isinstance(source, str) or not isinstance(span[0], int):
        return 0, 0
    before = source.encode("utf-8", "surrogatepass")[: span[0]].decode("utf-8", "replace")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
