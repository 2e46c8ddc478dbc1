"""Run pytest and read its JUnit XML report."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from code_adapter.detection import Missing, Unexamined
from code_adapter.environment import TOOL_TIMEOUT_S
from code_adapter.python_environment import find_python
from code_adapter.python_programs import module_command, to_command_line
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.impact.affected import AffectedPackages
from code_adapter.testing.impact.change import Change, Selected
from code_adapter.testing.impact.pytest_affected import make_settings_arguments, select_affected
from code_adapter.testing.impact.pytest_impact import make_file_arguments, select_pytest
from code_adapter.testing.only_tests import list_node_ids
from code_adapter.testing.own_doctests import NEEDS, list_own_doctests
from code_adapter.testing.progress_lines import COUNTED, make_pytest_reader
from code_adapter.testing.python_tests import PythonTests, find_tested_projects
from code_adapter.testing.suites import Suite, check_consistency, check_exit_code
from verigate.sdk import Request, ToolRun, path_text, run_tool
from verigate.sdk.install_commands import find_install_command
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.progress import ProgressReport
from verigate.sdk.reports.junit import parse_junit
from verigate.sdk.reports.outcomes import Outcomes
from verigate.sdk.reports.tests import SuiteRun
from verigate.sdk.reports.untrusted import add_tool_output, read_report

NO_TESTS = 5
"""pytest's exit code if no tests were collected: https://docs.pytest.org/en/stable/reference/exit-codes.html."""

WANTED = ("pytest", "coverage", "pytest_cov=pytest-cov", "xdist=pytest-xdist", f"{NEEDS}=pytest-doctestplus")


def detect(request: Request, files: SubjectFiles) -> Iterator[Suite | Missing | Unexamined]:
    """Yield a suite for each project that uses pytest, and the doctests of its own calls that nothing can run."""
    for project in find_tested_projects(request, files):
        if project.runner != "pytest":
            yield from list_own_doctests(files, project.folder, "unittest runs the tests, for lack of pytest")
            continue
        python = find_python(request, files, project.folder, WANTED)
        if python is None:
            yield Missing("pytest", project.folder, _explain_missing(files, project.folder))
        else:
            tests = PythonTests(request, files, project, python)
            yield Suite(
                "pytest",
                project.folder,
                partial(run_pytest, tests),
                tests.suite,
                run_selected=partial(run_selected, tests),
                run_affected=partial(run_affected, tests),
                stands_alone=True,
            )
            yield from tests.doctests.unexamined


def _explain_missing(files: SubjectFiles, folder: str) -> str:
    """Say that pytest isn't installed, and which command installs what the project lists for its tests."""
    settings = files.toml(f"{folder}/pyproject.toml" if folder else "pyproject.toml")
    names = {path.rpartition("/")[2] for path in files.known if path.rpartition("/")[0] == folder}
    command = find_install_command("python", names, settings)
    lists_none = command is None or command == find_install_command("python", {command.because})
    if command is None or (lists_none and command.because in {"pyproject.toml", "setup.py"}):
        how = "install it there, and list it where the project lists what its tests need"
    else:
        how = f"run `{command.line}`" + (f" in {path_text(folder)}" if folder else "")
    return f"pytest is not installed in the project's environment; {how}"


def run_pytest(tests: PythonTests) -> SuiteRun:
    """Run pytest in the project's folder. Raises ToolFailed without a usable exit code and report."""
    with tempfile.TemporaryDirectory(prefix="verigate-") as private:
        doctests = tests.doctests
        run, outcomes = start(tests, make_command(tests), Path(private), *doctests.options, *doctests.where)
        return describe_run(tests, run, outcomes, Path(private))


def run_selected(tests: PythonTests, change: Change) -> tuple[SuiteRun, Selected]:
    """Run the test files that the change can affect. Raises ToolFailed, and WholeSuiteError if that may be any."""
    with tempfile.TemporaryDirectory(prefix="verigate-") as private:
        selected = select_pytest(tests, change, Path(private))
        arguments = (*tests.doctests.options, *make_file_arguments(selected))
        run, outcomes = start(tests, make_command(tests), Path(private), *arguments)
        return describe_run(tests, run, outcomes, Path(private)), selected


def run_affected(tests: PythonTests, affected: AffectedPackages) -> tuple[SuiteRun, Selected]:
    """Run the test files of affected packages.

    Raises ToolFailed, WholeSuiteError where all are to run, NothingSelectedError where none are.
    """
    with tempfile.TemporaryDirectory(prefix="verigate-") as private:
        selected = select_affected(tests, affected, Path(private))
        files = make_file_arguments(selected)
        settings = make_settings_arguments(tests, selected.paths or frozenset())
        arguments = (*settings, *tests.doctests.options, *files)
        run, outcomes = start(tests, make_command(tests), Path(private), *arguments)
        return describe_run(tests, run, outcomes, Path(private)), selected


def make_command(tests: PythonTests) -> list[str]:
    """Make the beginning of pytest's command line."""
    return module_command(tests.python.executable, "pytest", then=tests.doctests.then)


def describe_run(tests: PythonTests, run: ToolRun, outcomes: Outcomes, private: Path) -> SuiteRun:
    """Describe a finished run of pytest that reported to ``private``."""
    texts = Texts(tests.request.repo_root, (private,))
    return SuiteRun(
        "pytest",
        tests.python.modules["pytest"],
        tests.folder,
        outcomes,
        tuple(texts.argv(to_command_line(run.argv))),
        run.exit_code or 0,
        tests.python.origin,
    )


def start(tests: PythonTests, command: Sequence[str], private: Path, *options: str) -> tuple[ToolRun, Outcomes]:
    """Run ``command`` with the options that make pytest report to ``private``."""
    report, progress = private / "junit.xml", ProgressReport.of(tests.request)
    argv = [
        *command,
        f"--junitxml={report}",
        *("-o", "junit_family=xunit1"),
        *("-o", "junit_logging=no"),
        *("-o", f"cache_dir={private / 'cache'}"),
        "--continue-on-collection-errors",
        "--color=no",
        *(COUNTED if progress.is_wanted else ()),
        # Coverage is another capability; its thresholds must not look like failed tests.
        *(["--no-cov"] if "pytest_cov" in tests.python.modules and "--cov-report=" not in options else []),
        *tests.workers,
        *options,
        *list_node_ids(tests.request, tests.folder),
    ]
    env = tests.make_environ(COVERAGE_FILE=str(private / "coverage-data"))
    watch = progress.watch_lines(make_pytest_reader())
    run = run_tool(argv, cwd=tests.cwd, timeout_s=TOOL_TIMEOUT_S, env=env, watch=watch)
    code = check_exit_code(run, "pytest", 0, 1, NO_TESTS)
    with add_tool_output(run):
        outcomes = parse_junit(read_report(report, "pytest"), "pytest")
    if code != NO_TESTS or outcomes.cases:
        check_consistency("pytest", code, outcomes, run)
    return run, outcomes
