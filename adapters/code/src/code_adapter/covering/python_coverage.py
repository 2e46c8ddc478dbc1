"""Coverage of pytest and unittest by coverage.py, with the project's configuration."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from code_adapter.covering.measurements import Measurement
from code_adapter.detection import Missing
from code_adapter.environment import TOOL_TIMEOUT_S
from code_adapter.python_environment import find_python
from code_adapter.python_programs import module_command, to_command_line
from code_adapter.reports.coverage_py import parse_coverage_py
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing import pytest_suite, unittest_suite
from code_adapter.testing.python_projects import read_pytest_options
from code_adapter.testing.python_tests import PythonTests, find_tested_projects
from verigate.sdk import Request, run_tool
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.coverage import CoverageRun
from verigate.sdk.reports.untrusted import add_tool_output, read_report

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
            yield Measurement(
                "coverage", project.folder, partial(measure, PythonTests(request, files, project, python))
            )


def measure(tests: PythonTests) -> CoverageRun:
    """Run the tests of a project under coverage.py. Raises ToolFailed without a usable result or report."""
    request, project, python = tests.request, tests.project, tests.python
    with tempfile.TemporaryDirectory(prefix="verigate-") as folder:
        private = Path(folder)
        report = private / "coverage.json"

        def command(number: int = 0) -> list[str]:
            data = f"--data-file={private / f'coverage-data.{number}'}"
            return [*module_command(python.executable, "coverage", project.runner), "run", data]

        if project.runner == "unittest":
            runs = [run for run, _ in unittest_suite.start(tests, command, private)]
        elif "pytest_cov" in python.modules and _uses_pytest_cov(tests.files, project.folder):
            # pytest's options select what to measure, as arguments of pytest-cov.
            options = ("--cov-report=", "--cov-fail-under=0")
            plain = module_command(python.executable, "pytest")
            run, _ = pytest_suite.start(tests, plain, private, *options)
            runs = [run]
        else:
            run, _ = pytest_suite.start(tests, [*command(), "-m", "pytest"], private)
            runs = [run]
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
        measured = tuple(file for file in listed if not file.path.endswith(f"/{unittest_suite.RUNNER.name}"))
        argv = Texts(request.repo_root, (unittest_suite.RUNNER.parent, private)).argv(to_command_line(runs[0].argv))
        return CoverageRun(
            "coverage",
            python.modules.get("coverage"),
            project.folder,
            measured,
            tuple(argv),
            max(run.exit_code or 0 for run in runs),
            python.origin,
        )


def _uses_pytest_cov(files: SubjectFiles, folder: str) -> bool:
    try:
        words = shlex.split(read_pytest_options(files, folder) or "")
    except ValueError:
        return False
    return any(word == "--cov" or word.startswith("--cov=") for word in words)
