"""Run node's test runner, jest and vitest, each with a JSON report in a private folder."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from code_adapter.detection import Missing
from code_adapter.environment import (
    TOOL_TIMEOUT_S,
    find_node_tool,
    make_tool_environ,
    read_node_package_version,
)
from code_adapter.npm_scripts import RunnerCall
from code_adapter.reports.jest import parse_jest
from code_adapter.reports.own_json import parse_own
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.node_projects import find_node_projects
from code_adapter.testing.suites import Suite, check_consistency, check_exit_code
from verigate.sdk import Request, ToolRun, run_tool
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.outcomes import Outcomes
from verigate.sdk.reports.tests import SuiteRun
from verigate.sdk.reports.untrusted import add_tool_output, read_report

REPORTER = Path(__file__).with_name("node_reporter.mjs")

_DROPPED = {
    "node": re.compile(r"--(?:watch|test-reporter|test-reporter-destination|experimental-test-coverage|test-coverage)"),
    "jest": re.compile(r"--(?:coverage|collectCoverage|watch|json|outputFile|reporters|ci)|-w$"),
    "vitest": re.compile(r"--(?:coverage|watch|run|reporter|outputFile)|-w$|(?:run|watch|dev)$"),
}
_WITH_VALUE = re.compile(r"--(?:test-reporter|test-reporter-destination|outputFile|reporters?|coverageReporters)$")


def detect(request: Request, files: SubjectFiles) -> Iterator[Suite | Missing]:
    """Yield a suite for each call of a runner."""
    for project in find_node_projects(files):
        for call in project.calls:
            name = "node:test" if call.runner == "node" else call.runner
            program = find_runner(request, files, project.folder, call.runner)
            if program is None:
                yield Missing(name, project.folder, f"{call.runner} is not installed in the project")
            else:
                yield Suite(name, project.folder, partial(run_call, request, project.folder, call, program))


def find_runner(request: Request, files: SubjectFiles, folder: str, runner: str) -> str | None:
    """Find node on PATH, jest and vitest in the project's node_modules."""
    if runner == "node":
        return shutil.which("node", path=make_tool_environ(request)["PATH"])
    return find_node_tool(request, files, folder, runner)


def run_call(request: Request, folder: str, call: RunnerCall, program: str) -> SuiteRun:
    """Run one call of a runner in ``folder``. Raises ToolFailed without a usable exit code and report."""
    with tempfile.TemporaryDirectory(prefix="verigate-") as private:
        texts = Texts(request.repo_root, (Path(private),))
        report = Path(private) / "report.json"
        options = read_arguments(request, folder, call)
        reporting = make_report_options(call.runner, report, Path(private))
        # node passes everything after the first file to that file.
        argv = [program, *(reporting + options if call.runner == "node" else options + reporting)]
        run = start(request, folder, call, argv)
        outcomes = read_outcomes(run, call.runner, report)
        return SuiteRun(
            "node:test" if call.runner == "node" else call.runner,
            read_runner_version(request, folder, call.runner, program),
            folder,
            outcomes,
            tuple(texts.argv((call.runner, *argv[1:]))),
            run.exit_code or 0,
        )


def read_arguments(request: Request, folder: str, call: RunnerCall) -> list[str]:
    """Return the arguments of the project's script without those for reports, coverage and watch mode."""
    kept: list[str] = ["run"] if call.runner == "vitest" else []
    skip = False
    for word in call.arguments or (("--test",) if call.runner == "node" else ()):
        if skip and not word.startswith("-"):
            skip = False
            continue
        skip = False
        if _DROPPED[call.runner].match(word):
            skip = bool(_WITH_VALUE.match(word))
        elif any(sign in word for sign in "*?[") and not word.startswith("-"):
            # npm's shell would expand patterns; node below 21 doesn't.
            kept += _expand(request.repo_root / folder, word)
        else:
            kept.append(word)
    return kept


def _expand(folder: Path, pattern: str) -> list[str]:
    try:
        found = sorted(path.relative_to(folder).as_posix() for path in folder.glob(pattern))
    except (ValueError, NotImplementedError):
        found = []
    return [f"./{path}" for path in found] or [pattern]


def make_report_options(runner: str, report: Path, private: Path) -> list[str]:
    """Make the options for ``runner`` to write its outcomes to ``report`` and no coverage."""
    if runner == "jest":
        common = ["--ci", "--watchAll=false", "--passWithNoTests", "--coverage=false", "--testLocationInResults"]
        return [*common, f"--cacheDirectory={private / 'cache'}", "--json", f"--outputFile={report}"]
    if runner == "vitest":
        return ["--passWithNoTests", "--coverage.enabled=false", "--reporter=json", f"--outputFile={report}"]
    return [f"--test-reporter={REPORTER.as_uri()}", f"--test-reporter-destination={report}"]


def start(request: Request, folder: str, call: RunnerCall, argv: Sequence[str]) -> ToolRun:
    """Run ``argv`` with the variables of ``call``."""
    env = make_tool_environ(request, **dict(call.variables))
    return run_tool(argv, cwd=request.repo_root / folder, timeout_s=TOOL_TIMEOUT_S, env=env)


def read_outcomes(run: ToolRun, runner: str, report: Path) -> Outcomes:
    """Read the report of a finished run. Raises ToolFailed if it is missing or contradicts the exit code."""
    code = check_exit_code(run, runner, 0, 1)
    with add_tool_output(run):
        raw = read_report(report, runner)
        outcomes = parse_own(raw, runner) if runner == "node" else parse_jest(raw, runner)
    check_consistency(runner, code, outcomes, run)
    return outcomes


def read_runner_version(request: Request, folder: str, runner: str, program: str) -> str | None:
    """Read the version of ``runner``; None if it reports none."""
    if runner != "node":
        return read_node_package_version(request, folder, runner)
    run = run_tool([program, "--version"], cwd=request.repo_root, timeout_s=30, env=make_tool_environ(request))
    return run.stdout.decode("utf-8", "replace").strip().removeprefix("v") or None
