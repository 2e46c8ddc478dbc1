"""Coverage of pytest and unittest by coverage.py, with the project's configuration."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from code_adapter.covering.measurements import Measured, Measurement
from code_adapter.detection import Missing
from code_adapter.environment import TOOL_TIMEOUT_S
from code_adapter.own_calls.workers import names_workers
from code_adapter.python_environment import find_python
from code_adapter.python_programs import module_command, to_command_line
from code_adapter.reports.coverage_py import parse_coverage_py
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing import pytest_suite, unittest_suite
from code_adapter.testing.own_doctests import PLUGIN
from code_adapter.testing.python_tests import PythonTests, find_tested_projects
from verigate.sdk import Request, run_tool
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.coverage import CoverageRun
from verigate.sdk.reports.tests import SuiteRun
from verigate.sdk.reports.untrusted import add_tool_output, read_report

_OWN = (f"/{unittest_suite.RUNNER.name}", f"/{PLUGIN.name}")
"""The gate's own files that run with the tests."""

EXPORT = Path(__file__).with_name("coverage_export.py")


def detect(request: Request, files: SubjectFiles) -> Iterator[Measurement | Missing]:
    """Yield a measurement for each Python project with tests."""
    for project in find_tested_projects(request, files):
        wanted = ("unittest", *pytest_suite.WANTED) if project.runner == "unittest" else pytest_suite.WANTED
        python = find_python(request, files, project.folder, ("coverage", *wanted))
        if python is None or project.runner not in python.modules:
            lacking = "coverage" if python is None else project.runner
            yield Missing("coverage", project.folder, f"{lacking} is not installed in the project's environment")
        else:
            tests = PythonTests(request, files, project, python)
            yield Measurement("coverage", project.folder, partial(measure, tests), tests.suite)


def measure(tests: PythonTests) -> Measured:
    """Run the tests of a project under coverage.py. Raises ToolFailed without a usable result or report."""
    request, project, python = tests.request, tests.project, tests.python
    with tempfile.TemporaryDirectory(prefix="verigate-") as folder:
        private = Path(folder)
        report = private / "coverage.json"

        def command(number: int = 0) -> list[str]:
            data = f"--data-file={private / f'coverage-data.{number}'}"
            then = "" if project.runner == "unittest" else tests.doctests.then
            return [*module_command(python.executable, "coverage", project.runner, then=then), "run", data]

        suite: SuiteRun | None
        if project.runner == "unittest":
            found = unittest_suite.start(tests, command, private)
            runs, suite = [run for run, _ in found], unittest_suite.describe_runs(tests, found)
        else:
            options, plugin, serial = _choose_options(tests)
            start = pytest_suite.make_command(tests) if plugin else [*command(), "-m", "pytest"]
            arguments = (*options, *tests.doctests.options, *tests.doctests.where)
            run, outcomes = pytest_suite.start(tests, start, private, *arguments)
            runs = [run]
            suite = None if serial else pytest_suite.describe_run(tests, run, outcomes, private)
        export = run_tool(
            [python.executable, str(EXPORT), str(private), str(report)],
            cwd=tests.cwd,
            timeout_s=TOOL_TIMEOUT_S,
            env=python.make_environ(request),
        )
        if export.exit_code != 0:
            raise export.as_failure(f"coverage could not write its report ({export.ended})")
        with add_tool_output(export):
            listed = parse_coverage_py(read_report(report, "coverage"), "coverage")
        measured = tuple(file for file in listed if not file.path.endswith(_OWN))
        argv = Texts(request.repo_root, (unittest_suite.RUNNER.parent, private)).argv(to_command_line(runs[0].argv))
        coverage = CoverageRun(
            "coverage",
            python.modules.get("coverage"),
            project.folder,
            measured,
            tuple(argv),
            max(run.exit_code or 0 for run in runs),
            python.origin,
        )
        return Measured(coverage, suite)


def _choose_options(tests: PythonTests) -> tuple[tuple[str, ...], bool, bool]:
    """Return pytest's options, whether pytest-cov measures, and whether workers that its settings start are turned off.

    pytest-cov measures where pytest's options say so, which also select what to measure; and in the workers of xdist,
    which coverage.py alone doesn't see. Without it these tests run in one process.
    """
    able = "pytest_cov" in tests.python.modules
    set_up = "xdist" in tests.python.modules and names_workers(tests.options)
    parallel = set_up or bool(tests.workers)
    selected = any(word == "--cov" or word.startswith("--cov=") for word in tests.options)
    if able and (selected or parallel):
        return (*(() if selected else ("--cov",)), "--cov-report=", "--cov-fail-under=0"), True, False
    return (("-n0",) if parallel else ()), False, set_up
