"""Run eslint where the project configures it. Severity 2 is an error, 1 a warning."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from code_adapter.detection import Missing
from code_adapter.environment import TOOL_TIMEOUT_S, find_node_tool, make_tool_environ, read_node_package_version
from code_adapter.lint.linters import Linter
from code_adapter.lint.node_calls import find_linter_calls, read_lint_arguments
from code_adapter.subject_files import NOT_PROJECTS, SubjectFiles, filter_topmost
from code_adapter.testing.node_outputs import build_outputs, find_unbuilt
from code_adapter.testing.node_programs import explain_missing
from verigate.sdk import Request, ToolFailed, ToolRun, run_tool
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.npm_scripts import LinterCall
from verigate.sdk.reports.lint import LintRun
from verigate.sdk.reports.sarif import LintFinding

_CONFIG = re.compile(r"(?:^|/)(?:eslint\.config\.[cm]?[jt]s|\.eslintrc(?:\.(?:[cm]?js|json|ya?ml))?)$")
_DROPPED = re.compile(
    r"--(?:fix|fix-dry-run|fix-type|format|output-file|cache|cache-file|cache-location|cache-strategy|color|no-color"
    r"|max-warnings|debug|quiet|no-error-on-unmatched-pattern)(?:=|$)|-[fo]$"
)
"""``--quiet`` lists no file without errors, so that nothing would count as checked."""

_WITH_VALUE = re.compile(
    r"--(?:fix-type|format|output-file|cache-file|cache-location|cache-strategy|max-warnings)|-[fo]"
)
_RULES = Path(__file__).with_name("eslint_rules.mjs")
_IGNORED = re.compile(r"^File ignored (?:by default|because)")
_SETTINGS = re.compile(r"-c|--config(?:=(?P<file>.+))?")
_PROBLEMS = 1
_CRASHED = 2


def detect(request: Request, files: SubjectFiles) -> Iterator[Linter | Missing]:
    """Yield a run for each topmost folder with a configuration."""
    folders = {path.rpartition("/")[0] for path in files.paths if _CONFIG.search(path)}
    folders |= {folder for folder in files.projects("package.json") if "eslintConfig" in _package(files, folder)}
    own = sorted(folder for folder in folders if not NOT_PROJECTS.intersection(folder.split("/")))
    for folder in filter_topmost(own):
        program = find_node_tool(request, files, folder, "eslint")
        if program is None:
            yield Missing("eslint", folder, explain_missing(request, files, folder, "eslint"))
            continue
        for call in find_linter_calls(files, folder, "eslint") or (LinterCall("eslint", (".",)),):
            start = partial(run_eslint, request, folder, program, call)
            yield Linter("eslint", folder, partial(lint_built, request, files, folder, start))


def lint_built(request: Request, files: SubjectFiles, folder: str, start: Callable[[], LintRun]) -> LintRun:
    """Lint; where there are findings and packages lack what they build, build that and lint again: rules read types."""
    linted = start()
    unbuilt = find_unbuilt(request, files, folder) if linted.findings else ()
    if not unbuilt:
        return linted
    failed = build_outputs(request, files, folder, unbuilt)
    return start() if failed is None or not find_unbuilt(request, files, folder) else linted


def _package(files: SubjectFiles, folder: str) -> dict[str, Any]:
    return files.json(f"{folder}/package.json" if folder else "package.json")


def run_eslint(request: Request, folder: str, program: str, call: LinterCall) -> LintRun:
    """Return findings. Raises ToolFailed if eslint crashed (exit code 2) or its report contradicts its exit code."""
    place = request.repo_root / folder / call.folder
    words = read_lint_arguments(place, call, _DROPPED, _WITH_VALUE)
    unmatched = ("--no-error-on-unmatched-pattern",) if _may_match_nothing(request, folder) else ()
    argv = (program, *words, "--format", "json")
    linted = run_like_eslint(request, folder, call, (*argv, *unmatched), "eslint")
    if unmatched and not linted.files:
        with suppress(ToolFailed):  # Without that option, eslint 9 and later take no pattern for the whole folder.
            linted = run_like_eslint(request, folder, call, argv, "eslint")
    if "--quiet" in call.arguments:
        linted = replace(linted, findings=tuple(each for each in linted.findings if each.severity == "error"))
    if any(word.startswith("--rule") for word in words):
        return replace(linted, ask=partial(_find_left, frozenset(linted.files), None))
    argv = ("node", str(_RULES), _find_settings(words))
    count = partial(_count_rules, request.repo_root, place, argv, make_tool_environ(request, **dict(call.variables)))
    return replace(linted, ask=partial(_find_left, frozenset(linted.files), count))


def _find_left(
    listed: frozenset[str], count: Callable[[Sequence[str]], Mapping[str, int]] | None, asked: Sequence[str]
) -> dict[str, str]:
    """Find the ``asked`` files that eslint doesn't lint, or to which no rule applies: it lists those all the same.

    A flat configuration for ``**/*.js`` has no rule for a module that ends with ``.mjs``.
    """
    left = {path: "eslint's patterns or ignores leave it out" for path in asked if path not in listed}
    own = [path for path in asked if path in listed]
    counts = count(own) if own and count is not None else dict.fromkeys(own, 1)
    for path in own:
        if path not in counts:
            left[path] = "eslint doesn't report which rules apply to it"
        elif not counts[path]:
            left[path] = "no rule of eslint applies to it"
    return left


def _count_rules(
    root: Path, place: Path, argv: Sequence[str], env: Mapping[str, str], paths: Sequence[str]
) -> dict[str, int]:
    """Count the rules that apply to each file; nothing if eslint doesn't report that."""
    run = run_tool((*argv, *(str(root / path) for path in paths)), cwd=place, timeout_s=TOOL_TIMEOUT_S, env=env)
    try:
        return dict(zip(paths, map(int, json.loads(run.stdout)), strict=True))
    except (TypeError, ValueError, RecursionError):
        return {}


def _find_settings(words: Sequence[str]) -> str:
    """Return the configuration that a command names; "" for none."""
    for index, word in enumerate(words):
        if (found := _SETTINGS.fullmatch(word)) is not None:
            return found["file"] or next(iter(words[index + 1 :]), "")
    return ""


def _may_match_nothing(request: Request, folder: str) -> bool:
    """Whether eslint knows the option for patterns that match no file: from 6.8 on."""
    version = re.match(r"(\d+)\.(\d+)", read_node_package_version(request, folder, "eslint") or "")
    return version is None or (int(version[1]), int(version[2])) >= (6, 8)


def run_like_eslint(request: Request, folder: str, call: LinterCall, argv: tuple[str, ...], tool: str) -> LintRun:
    """Run ``argv``, which prints JSON as eslint does. Raises ToolFailed as ``run_eslint`` does."""
    texts = Texts(request.repo_root)
    place = request.repo_root / folder / call.folder
    environ = make_tool_environ(request, **dict(call.variables))
    env = {name: value for name, value in environ.items() if not name.startswith("ESLINT_")} | dict(call.variables)
    run = run_tool(argv, cwd=place, timeout_s=TOOL_TIMEOUT_S, env=env)
    if run.exit_code not in {0, _PROBLEMS} or run.truncated:
        why = f"{tool} crashed" if run.exit_code == _CRASHED else f"{tool} ended with {run.ended}"
        raise run.as_failure(why)
    results = _results(run, tool)
    inside = place.relative_to(request.repo_root).as_posix().removeprefix(".")
    files = sorted(
        texts.path(str(item["filePath"]), inside) or texts.message(str(item["filePath"]))
        for item in results
        if not _is_ignored(item)
    )
    findings = tuple(sorted(_findings(results, inside, texts, tool)))
    errors = sum(finding.severity == "error" for finding in findings)
    if errors != sum(int(item["errorCount"]) for item in results) or (errors > 0) != (run.exit_code == _PROBLEMS):
        raise run.as_failure(f"{tool} ended with {run.ended} but reports {errors} errors")
    version = read_node_package_version(request, folder, tool)
    return LintRun(tool, version, folder, tuple(files), findings, tuple(texts.argv(argv)), run.exit_code or 0)


def _is_ignored(result: dict[str, Any]) -> bool:
    """Whether a result only says that the file, which the command names, is ignored."""
    messages = result.get("messages") or []
    return bool(messages) and all(
        message.get("ruleId") is None and _IGNORED.match(str(message.get("message", ""))) for message in messages
    )


def _results(run: ToolRun, tool: str) -> list[dict[str, Any]]:
    try:
        return [
            {**item, "filePath": item["filePath"], "errorCount": int(item["errorCount"])}
            for item in json.loads(run.stdout)
        ]
    except (KeyError, TypeError, ValueError, RecursionError) as problem:
        raise run.as_failure(f"{tool} left no readable report ({problem})") from problem


def _findings(results: list[dict[str, Any]], folder: str, texts: Texts, tool: str) -> Iterator[LintFinding]:
    for result in results:
        path = texts.path(str(result["filePath"]), folder) or texts.message(str(result["filePath"]))
        for message in result.get("messages") or []:
            yield LintFinding(
                path,
                _place(message.get("line")),
                _place(message.get("column")),
                str(message.get("ruleId") or ("syntax-error" if message.get("fatal") else "")),
                "error" if message.get("severity") == 2 else "warning",
                texts.message(str(message.get("message", ""))),
                tool,
            )


def _place(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
