"""Run PHPUnit and read its JUnit report."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from code_adapter.detection import Missing
from code_adapter.reports.phpunit import parse_phpunit
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.suites import Suite, check_consistency, check_exit_code
from code_adapter.toolchains.php import PHPUNIT, PhpProject, find_projects, run_phpunit
from verigate.sdk import Request, ToolRun
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.junit import parse_junit
from verigate.sdk.reports.outcomes import Case, Outcomes
from verigate.sdk.reports.tests import SuiteRun
from verigate.sdk.reports.untrusted import add_tool_output, read_report

_BROKEN = 255
"""How PHP ends after an error that nothing catches."""


def detect(request: Request, files: SubjectFiles) -> Iterator[Suite | Missing]:
    """Yield a suite for each project that has tests of PHPUnit."""
    for project in find_projects(request, files):
        if isinstance(project, Missing):
            yield project
        else:
            yield Suite(PHPUNIT, project.folder, partial(run_tests, request, project))


def run_tests(request: Request, project: PhpProject) -> SuiteRun:
    """Run what the project's settings name, without any its folder of tests. Raises ToolFailed without a report."""
    # An own name for the settings, so that none that lies around is taken.
    named = ["--configuration", str(request.repo_root / project.settings)] if project.settings else []
    with tempfile.TemporaryDirectory(prefix="verigate-") as private:
        run, outcomes = start_phpunit(request, project, named or ["--no-configuration", _find_folder(project)], private)
    code = check_exit_code(run, PHPUNIT, 0, 1, 2)
    check_consistency(PHPUNIT, code, outcomes, run)
    texts = Texts(request.repo_root)
    cases = tuple(_relate(case, request.repo_root / project.folder) for case in outcomes.cases)
    found = Outcomes(cases, outcomes.duration_ms)
    return SuiteRun(PHPUNIT, None, project.folder, found, tuple(texts.argv(run.argv)), code)


def start_phpunit(
    request: Request, project: PhpProject, arguments: Sequence[str], private: str
) -> tuple[ToolRun, Outcomes]:
    """Run PHPUnit with its JUnit report. Raises ToolFailed without one."""
    report = Path(private) / "junit.xml"
    report.unlink(missing_ok=True)
    run = run_phpunit(request, project, ["--log-junit", str(report), *arguments])
    if run.exit_code is None or (run.exit_code == _BROKEN and not report.is_file()):
        raise run.as_failure(f"{PHPUNIT} left no test result ({run.ended})", where=project.folder or ".")
    with add_tool_output(run):
        parse = parse_junit if project.fails_risky else parse_phpunit
        return run, parse(read_report(report, PHPUNIT), PHPUNIT)


def _find_folder(project: PhpProject) -> str:
    """Find the folder around all test files, relative to the project's."""
    start = len(project.folder) + 1 if project.folder else 0
    folders = [path[start:].split("/")[:-1] for path in project.tests]
    common = [parts[0] for parts in zip(*folders, strict=False) if len(set(parts)) == 1]
    return "/".join(common) or "."


def _relate(case: Case, folder: Path) -> Case:
    place = Path(case.path or "")
    inside = place.is_absolute() and place.is_relative_to(folder)
    return replace(case, path=place.relative_to(folder).as_posix() if inside else None)
