"""Coverage of jest, vitest and node's test runner, through LCOV in a private folder."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from code_adapter.covering.measurements import Measured, Measurement
from code_adapter.detection import Missing
from code_adapter.environment import find_node_tool, has_node_package, read_node_package_version
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing import node_suites
from code_adapter.testing.node_commands import run_commands
from code_adapter.testing.node_options import VITEST_REPORTERS, make_report_options, read_arguments
from code_adapter.testing.node_programs import find_program
from code_adapter.testing.node_projects import find_node_projects
from code_adapter.testing.node_workspaces import join_path
from verigate.sdk import Request, ToolFailed
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.npm_scripts import RunnerCall
from verigate.sdk.reports.coverage import CoverageRun
from verigate.sdk.reports.lcov import parse_lcov
from verigate.sdk.reports.untrusted import add_tool_output, read_report

VITEST_PROVIDERS = ("@vitest/coverage-v8", "@vitest/coverage-istanbul")
OWN_LCOV = (20, 11)
"""The first node with a reporter for LCOV: https://nodejs.org/api/test.html#test-reporters."""


@dataclass(frozen=True, slots=True)
class _Tool:
    """``program`` runs the tests; ``name`` measures them, itself or through ``wrapper`` (c8, nyc)."""

    program: tuple[str, ...]
    name: str
    wrapper: str | None = None


def detect(request: Request, files: SubjectFiles) -> Iterator[Measurement | Missing]:
    """Yield a measurement for each call of a runner."""
    for project in find_node_projects(files):
        for call in project.calls:
            program = find_program(request, files, project.folder, call)
            tool = _tool(request, files, project.folder, call.runner, program) if program else None
            if tool is None:
                what = f"a coverage tool for {call.runner}" if program else call.runner
                yield Missing(call.runner, project.folder, f"{what} is not installed in the project")
            else:
                yield Measurement(
                    tool.name,
                    project.folder,
                    partial(measure, request, files, project.folder, call, tool),
                    node_suites.name_suite(project.folder, call),
                )


def _tool(request: Request, files: SubjectFiles, folder: str, runner: str, program: tuple[str, ...]) -> _Tool | None:
    if runner == "jest":
        return _Tool(program, runner)
    if runner == "vitest":
        able = any(has_node_package(request, folder, name) for name in VITEST_PROVIDERS)
        return _Tool(program, runner) if able else None
    for name in ("c8", "nyc"):
        if wrapper := find_node_tool(request, files, folder, name):
            return _Tool(program, name, wrapper)
    if runner != "node":
        return None
    version = node_suites.read_runner_version(request, folder, "node") or ""
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdecimal())
    return _Tool(program, "node:test") if numbers >= OWN_LCOV else None


def measure(request: Request, files: SubjectFiles, folder: str, call: RunnerCall, tool: _Tool) -> Measured:
    """Run one call of a runner with coverage. Raises ToolFailed without a usable result or report."""
    with tempfile.TemporaryDirectory(prefix="verigate-") as temporary:
        private = Path(temporary)
        report = private / "lcov" / "lcov.info"
        report.parent.mkdir()
        place = join_path(folder, call.folder) if call.folder else folder
        options = read_arguments(request.repo_root / place, call)
        argv = _argv(call.runner, tool, options, private)
        if failed := run_commands(request, files, folder, call.before):
            raise ToolFailed(f"{failed[0].id} failed before the tests:\n{failed[0].message}")
        run = node_suites.start(request, files, place, call, argv)
        outcomes = node_suites.read_outcomes(run, call.runner, private / "report.json")
        if not report.exists() and outcomes.cases:
            raise run.as_failure(f"{tool.name} left no coverage report")
        with add_tool_output(run):
            covered = parse_lcov(read_report(report, tool.name), tool.name) if report.exists() else ()
        code, named = run.exit_code or 0, Texts(request.repo_root, (private,)).argv((tool.name, *argv[1:]))
        coverage = CoverageRun(tool.name, _version(request, folder, tool), place, covered, tuple(named), code)
        return Measured(coverage, node_suites.describe_run(request, folder, call, outcomes, named, code=code))


def _argv(runner: str, tool: _Tool, options: list[str], private: Path) -> list[str]:
    lcov, outcomes = private / "lcov", private / "report.json"
    if runner == "jest":
        reports = [f"--coverageDirectory={lcov}", "--coverageReporters=lcovonly", "--coverageThreshold={}"]
        common = ["--ci", "--watchAll=false", "--passWithNoTests", f"--cacheDirectory={private / 'cache'}"]
        return [*tool.program, *options, "--coverage", *reports, *common, "--json", f"--outputFile={outcomes}"]
    if runner == "vitest":
        reports = [f"--coverage.reportsDirectory={lcov}", "--coverage.reporter=lcovonly"]
        reports += ["--coverage.enabled=true", "--coverage.reportOnFailure=true"]
        reports += [f"--coverage.thresholds.{name}=0" for name in ("lines", "functions", "branches", "statements")]
        reports += ["--passWithNoTests", *VITEST_REPORTERS]
        return [*tool.program, *options, *reports, f"--outputFile={outcomes}"]
    reporting = make_report_options(runner, outcomes, private)
    # node passes everything after the first file to that file.
    running = [*tool.program, *(reporting + options if runner == "node" else options + reporting)]
    if tool.wrapper is None:
        own = ["--experimental-test-coverage", "--test-reporter=lcov"]
        return [*tool.program, *reporting, *own, f"--test-reporter-destination={lcov / 'lcov.info'}", *options]
    scratch = "--temp-directory" if tool.name == "c8" else "--temp-dir"
    reports = ["--reporter=lcovonly", f"--report-dir={lcov}", f"{scratch}={private / 'scratch'}"]
    return [tool.wrapper, *reports, "--check-coverage=false", *running]


def _version(request: Request, folder: str, tool: _Tool) -> str | None:
    if tool.name == "node:test":
        return node_suites.read_runner_version(request, folder, "node")
    return read_node_package_version(request, folder, tool.name)
