"""Run cargo test and read libtest's JSON events.

Stable libtest prints JSON only with RUSTC_BOOTSTRAP=1. Everything is compiled first without it, so that no build
script or crate sees it; it is set only to run the compiled tests.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from functools import partial
from typing import Any

from code_adapter.detection import Missing
from code_adapter.environment import TOOL_TIMEOUT_S, make_tool_environ
from code_adapter.reports.libtest import parse_libtest
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.progress_lines import make_cargo_reader
from code_adapter.testing.suites import Suite, check_consistency, check_exit_code
from verigate.sdk import Request, ToolFailed, ToolRun, run_tool
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.progress import ProgressReport
from verigate.sdk.reports.outcomes import Case, Outcomes, merge_outcomes
from verigate.sdk.reports.tests import SuiteRun
from verigate.sdk.reports.untrusted import ReportInvalid, add_tool_output

FAILED_TESTS = 101
"""cargo's exit code for a failed test or a compile error."""

_JSON = ("--", "-Z", "unstable-options", "--format", "json")


def detect(request: Request, files: SubjectFiles) -> Iterator[Suite | Missing]:
    """Yield a suite for each topmost Cargo.toml."""
    for folder in files.projects("Cargo.toml"):
        if shutil.which("cargo", path=make_tool_environ(request)["PATH"]) is None:
            yield Missing("cargo test", folder, "cargo is not installed")
        else:
            yield Suite("cargo test", folder, partial(run_cargo, request, folder))


def run_cargo(request: Request, folder: str) -> SuiteRun:
    """Compile, then run unit, integration and documentation tests. Raises ToolFailed if a report is missing."""
    texts = Texts(request.repo_root)
    common = ["cargo", "test", "--offline", "--workspace", "--no-fail-fast"]
    compiled = _cargo(request, folder, [*common, "--no-run", "--message-format=json"])
    code = check_exit_code(compiled, "cargo test --no-run", 0, FAILED_TESTS)
    if code == FAILED_TESTS:
        message = read_compile_errors(compiled)
        failed = Outcomes((Case("cargo test --no-run", "failed", message=message),))
        return SuiteRun("cargo test", _version(request), folder, failed, tuple(common), code)
    programs, libraries = _count_programs(compiled)
    runs = [_cargo(request, folder, [*common, "--tests", *_JSON], RUSTC_BOOTSTRAP="1")]
    if libraries:
        runs.append(_cargo(request, folder, [*common, "--doc", *_JSON], RUSTC_BOOTSTRAP="1"))
    outcomes = []
    suites = 0
    for run in runs:
        ended = check_exit_code(run, "cargo test", 0, FAILED_TESTS)
        if run.truncated:
            raise ReportInvalid("the output of cargo test exceeds the size limit")
        with add_tool_output(run):
            found, count = parse_libtest(run.stdout, "cargo test")
        check_consistency("cargo test", ended, found, run)
        outcomes.append(found)
        suites += count if run is runs[0] else 0
    if suites != programs:
        raise ToolFailed(
            f"cargo built {programs} test programs, but {suites} reported in {folder or '.'}",
            hint="for a target with harness = false, declare its command and report format in config/adapters.json",
        )
    argv = tuple(texts.argv(runs[0].argv))
    return SuiteRun(
        "cargo test", _version(request), folder, merge_outcomes(outcomes), argv, max(run.exit_code or 0 for run in runs)
    )


def read_compile_errors(run: ToolRun) -> str:
    """Return the rendered errors of ``--message-format=json`` output, or the end of stderr if there are none."""
    found = [
        message["message"].get("rendered") or message["message"].get("message", "")
        for message in read_cargo_messages(run)
        if message.get("reason") == "compiler-message" and message["message"].get("level") == "error"
    ]
    return "\n".join(found) or run.tail()


def read_cargo_messages(run: ToolRun) -> Iterator[dict[str, Any]]:
    """Yield the JSON messages on stdout. Source: https://doc.rust-lang.org/cargo/reference/external-tools.html."""
    for line in run.stdout.splitlines():
        if line.startswith(b"{"):
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(message, dict):
                yield message


def _count_programs(run: ToolRun) -> tuple[int, bool]:
    """Return the number of test programs, and whether there is a library, which may have documentation tests."""
    programs: set[str] = set()
    library = False
    for message in read_cargo_messages(run):
        if message.get("reason") != "compiler-artifact":
            continue
        target = message["target"]
        if message.get("executable") and message["profile"]["test"]:
            programs.add(str(message["executable"]))
        library = library or (bool(target.get("doctest")) and "lib" in target.get("kind", []))
    return len(programs), library


def _cargo(request: Request, folder: str, argv: list[str], **variables: str) -> ToolRun:
    env = make_tool_environ(request, CARGO_TERM_COLOR="never", RUST_BACKTRACE="0", **variables)
    watch = ProgressReport.of(request).watch_lines(make_cargo_reader())
    return run_tool(argv, cwd=request.repo_root / folder, timeout_s=TOOL_TIMEOUT_S, env=env, watch=watch)


def _version(request: Request) -> str | None:
    run = run_tool(["cargo", "--version"], cwd=request.repo_root, timeout_s=60, env=make_tool_environ(request))
    words = run.stdout.decode("utf-8", "replace").split()
    return words[1] if run.exit_code == 0 and len(words) > 1 else None
