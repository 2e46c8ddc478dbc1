"""Run go test -json."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial

from code_adapter.detection import Missing
from code_adapter.environment import TOOL_TIMEOUT_S, make_tool_environ
from code_adapter.reports.go_test import parse_go_test
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.suites import Suite, check_consistency, check_exit_code
from verigate.sdk import Request, run_tool
from verigate.sdk.reports.tests import SuiteRun
from verigate.sdk.reports.untrusted import ReportInvalid, add_tool_output


def detect(request: Request, files: SubjectFiles) -> Iterator[Suite | Missing]:
    """Yield a suite for each topmost go.mod with tests."""
    for folder in files.projects("go.mod"):
        if not any(path.endswith("_test.go") for path in files.below(folder)):
            continue
        if shutil.which("go", path=make_tool_environ(request)["PATH"]) is None:
            yield Missing("go test", folder, "go is not installed")
        else:
            yield Suite("go test", folder, partial(run_go, request, folder))


def run_go(request: Request, folder: str) -> SuiteRun:
    """Run every package's tests without cached results. Raises ToolFailed without a complete report."""
    argv = ("go", "test", "-json", "-count=1", "./...")
    env = make_tool_environ(request)
    run = run_tool(argv, cwd=request.repo_root / folder, timeout_s=TOOL_TIMEOUT_S, env=env)
    code = check_exit_code(run, "go test", 0, 1, 2)
    if run.truncated:
        raise ReportInvalid("the output of go test exceeds the size limit")
    with add_tool_output(run):
        outcomes = parse_go_test(run.stdout, "go test")
    check_consistency("go test", code, outcomes, run)
    version = run_tool(["go", "env", "GOVERSION"], cwd=request.repo_root / folder, timeout_s=60, env=env)
    number = version.stdout.decode("utf-8", "replace").strip().removeprefix("go")
    return SuiteRun("go test", number or None, folder, outcomes, argv, code)
