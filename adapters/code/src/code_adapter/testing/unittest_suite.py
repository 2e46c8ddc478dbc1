"""Run unittest with the adapter's own runner on the project's Python."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from code_adapter.detection import Missing
from code_adapter.environment import TOOL_TIMEOUT_S
from code_adapter.python_environment import find_python
from code_adapter.reports.own_json import parse_own
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.python_tests import PythonTests, find_tested_projects
from code_adapter.testing.suites import Suite, check_consistency, check_exit_code
from verigate.sdk import Request, ToolRun, run_tool
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.progress import ProgressReport
from verigate.sdk.reports.outcomes import Outcomes, merge_outcomes
from verigate.sdk.reports.tests import SuiteRun
from verigate.sdk.reports.untrusted import add_tool_output, read_report

RUNNER = Path(__file__).with_name("unittest_runner.py")


def detect(request: Request, files: SubjectFiles) -> Iterator[Suite | Missing]:
    """Yield a suite for each project whose tests all use unittest and that doesn't configure pytest."""
    for project in find_tested_projects(request, files):
        if project.runner != "unittest":
            continue
        python = find_python(request, files, project.folder, ("unittest", "coverage"))
        if python is None:
            yield Missing("unittest", project.folder, "there is no Python for it")
        else:
            tests = PythonTests(request, files, project, python)
            yield Suite("unittest", project.folder, partial(run_unittest, tests), tests.suite, stands_alone=True)


def run_unittest(tests: PythonTests) -> SuiteRun:
    """Run every test module of the project. Raises ToolFailed if one leaves no report."""
    with tempfile.TemporaryDirectory(prefix="verigate-") as private:
        return describe_runs(tests, start(tests, lambda _: [tests.python.executable], Path(private)))


def describe_runs(tests: PythonTests, runs: Sequence[tuple[ToolRun, Outcomes]]) -> SuiteRun:
    """Describe the finished runs of a project's modules as one."""
    names = [name for run, _ in runs for name in run.argv[run.argv.index(str(RUNNER)) + 3 :]]
    return SuiteRun(
        "unittest",
        tests.python.version,
        tests.folder,
        merge_outcomes(outcomes for _, outcomes in runs),
        tuple(Texts(tests.request.repo_root).argv(("python", "-m", "unittest", *names))),
        max(run.exit_code or 0 for run, _ in runs),
        tests.python.origin,
    )


def start(tests: PythonTests, command: Callable[[int], list[str]], private: Path) -> list[tuple[ToolRun, Outcomes]]:
    """Run the modules, with one process per import folder. ``command(n)`` is the prefix of the runner's command."""
    runs = []
    watched = ProgressReport.of(tests.request).path
    progress = {"VERIGATE_PROGRESS": watched} if watched else {}
    for number, (top, modules) in enumerate(sorted(find_import_roots(tests.files, tests.project.tests).items())):
        report = private / f"unittest-{number}.json"
        argv = [*command(number), str(RUNNER), str(report), str(tests.request.repo_root / top), *modules]
        run = run_tool(argv, cwd=tests.cwd, timeout_s=TOOL_TIMEOUT_S, env=tests.make_environ(**progress))
        code = check_exit_code(run, "unittest", 0, 1)
        with add_tool_output(run):
            outcomes = parse_own(read_report(report, "unittest"), "unittest")
        check_consistency("unittest", code, outcomes, run)
        runs.append((run, outcomes))
    return runs


def find_import_roots(files: SubjectFiles, tests: Sequence[str]) -> dict[str, list[str]]:
    """Map import folders to dotted module names; the folder is the parent of the topmost package, as in pytest."""
    roots: dict[str, list[str]] = defaultdict(list)
    for path in tests:
        parts = path.removesuffix(".py").split("/")
        split = len(parts) - 1
        while split and f"{'/'.join(parts[:split])}/__init__.py" in files.known:
            split -= 1
        roots["/".join(parts[:split])].append(".".join(parts[split:]))
    return roots
