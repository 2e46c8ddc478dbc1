"""Run RSpec, and Minitest by rake or by itself, and read the outcome of each test."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from code_adapter.detection import Missing, Unexamined
from code_adapter.reports.minitest import merge_loaded, parse_loaded, parse_minitest
from code_adapter.reports.rspec import parse_rspec
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.rspec_options import write_options
from code_adapter.testing.suites import Suite, check_consistency, check_exit_code
from code_adapter.toolchains.ruby import (
    MINITEST,
    RSPEC,
    TEST_UNIT,
    RubyProject,
    find_projects,
    require_gems,
    run_ruby,
)
from verigate.sdk import Request, ToolRun
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.outcomes import Case, Outcomes, merge_outcomes
from verigate.sdk.reports.tests import SuiteRun
from verigate.sdk.reports.untrusted import ReportInvalid, add_tool_output, read_report

REPORTER = Path(__file__).with_name("minitest_report.rb")
LOADER = Path(__file__).with_name("minitest_load.rb")
_TASK = re.compile(
    r"^[^#\n]*\b(?:Rake::|Minitest::|Rails::)?TestTask\b\.(?:new|create)\b(?:\s*\(?\s*[:'\"](?P<name>[A-Za-z_][\w:]*))?",
    re.MULTILINE,
)
_LIBS = re.compile(r"\blibs\b\s*(?:<<|\+?=|\.push|\.concat|\.append)\s*(?P<given>[^\n#]+)")
_WORDS = re.compile(r"['\"]([\w./-]+)['\"]|%w\W([\w./ -]+)")
_MOST_PROCESSES = 200


def detect(request: Request, files: SubjectFiles) -> Iterator[Suite | Missing | Unexamined]:
    """Yield a suite for each project and each of its frameworks."""
    for project in find_projects(files):
        if RSPEC in project.tests:
            missing = project.find_missing(request, RSPEC, "rspec")
            yield missing or Suite(RSPEC, project.folder, partial(run_rspec, request, files, project))
        if MINITEST in project.tests:
            program = "rake" if find_task(files, project.folder) else "ruby"
            missing = project.find_missing(request, MINITEST, program)
            yield missing or Suite(MINITEST, project.folder, partial(run_minitest, request, files, project))
        if TEST_UNIT in project.tests:
            yield Unexamined(TEST_UNIT, project.tests[TEST_UNIT][0], "its report can't be read here")


def run_rspec(request: Request, files: SubjectFiles, project: RubyProject) -> SuiteRun:
    """Run all examples. Raises ToolFailed without a usable report."""
    with tempfile.TemporaryDirectory(prefix="verigate-") as private:
        options = write_options(files, project.folder, Path(private))
        run, outcomes = start_rspec(request, project, options, (), Path(private))
    code = check_exit_code(run, RSPEC, 0, 1)
    check_consistency(RSPEC, code, outcomes, run)
    return _describe(request, project, RSPEC, run, outcomes)


def start_rspec(
    request: Request, project: RubyProject, options: Sequence[str], paths: Sequence[str], private: Path
) -> tuple[ToolRun, Outcomes]:
    """Run RSpec with its JSON report. Raises ToolFailed without one, or for gems that aren't there."""
    report = private / "rspec.json"
    report.unlink(missing_ok=True)
    argv = project.make_command("rspec", *options, "--format", "json", "--out", str(report), "--", *paths)
    run = run_ruby(request, project, [each for each in argv if paths or each != "--"])
    if not report.is_file():
        require_gems(run, project)
    if run.exit_code is None:
        raise run.as_failure(f"rspec ended with {run.ended}", where=project.folder or ".")
    with add_tool_output(run):
        return run, parse_rspec(read_report(report, RSPEC), RSPEC)


def run_minitest(request: Request, files: SubjectFiles, project: RubyProject) -> SuiteRun:
    """Run all tests: by the task of the Rakefile that has them, else each file. Raises ToolFailed without a report."""
    task = find_task(files, project.folder)
    if task is None:
        with tempfile.TemporaryDirectory(prefix="verigate-") as private:
            run, outcomes = start_minitest(request, files, project, project.tests[MINITEST], Path(private))
    else:
        with tempfile.TemporaryDirectory(prefix="verigate-") as private:
            reporter = shutil.copy(REPORTER, private)
            run = run_ruby(request, project, project.make_command("rake", task), preload=Path(reporter))
            outcomes = _read_reports(run, project, Path(private))
    code = check_exit_code(run, MINITEST, 0, 1)
    check_consistency(MINITEST, code, outcomes, run)
    return _describe(request, project, MINITEST, run, outcomes)


def start_minitest(
    request: Request, files: SubjectFiles, project: RubyProject, paths: Sequence[str], private: Path
) -> tuple[ToolRun, Outcomes]:
    """Run the test files ``paths`` in one process; a file that can't be loaded is one failed test.

    Raises ToolFailed without a report.
    """
    reporter, loader = (shutil.copy(each, private) for each in (REPORTER, LOADER))
    included = (word for each in list_load_paths(files, project.folder) for word in ("-I", each))
    named = [str(request.repo_root / path) for path in paths]
    argv = project.make_command("ruby", *included, "-r", str(reporter), str(loader), str(private), *named, "--")
    run = run_ruby(request, project, argv)
    if not (private / "loaded.txt").is_file():
        require_gems(run, project)
    if run.exit_code is None:
        raise run.as_failure(f"{MINITEST} ended with {run.ended}", where=project.folder or ".")
    with add_tool_output(run):
        broken = parse_loaded(read_report(private / "loaded.txt", MINITEST), MINITEST)
    try:
        outcomes = _read_reports(run, project, private)
    except ReportInvalid:
        if not broken:
            raise
        outcomes = Outcomes()
    if broken and run.exit_code == 0:
        # Minitest doesn't know of files that couldn't be loaded.
        run = _fail(run)
    return run, merge_loaded(broken.items(), outcomes)


def list_load_paths(files: SubjectFiles, folder: str) -> list[str]:
    """List what the tests of a project have on their load path: ``lib``, ``test``, and what the Rakefile adds."""
    path = f"{folder}/Rakefile" if folder else "Rakefile"
    text = files.text(path) if path in files.known else ""
    given = (words for found in _LIBS.finditer(text) for words in _WORDS.findall(found["given"]))
    return list(dict.fromkeys(["lib", "test", *(word for one, many in given for word in (one or many).split())]))


def find_task(files: SubjectFiles, folder: str) -> str | None:
    """Find the task of a Rakefile that runs the tests: ``test``, else the first one; None without one."""
    path = f"{folder}/Rakefile" if folder else "Rakefile"
    if path not in files.known:
        return None
    names = [found["name"] or "test" for found in _TASK.finditer(files.text(path))]
    return None if not names else "test" if "test" in names else names[0]


def _read_reports(run: ToolRun, project: RubyProject, private: Path) -> Outcomes:
    """Read the reports of all processes. Raises ReportInvalid if there is none."""
    found = sorted(private.glob("report-*.txt"))
    if not found:
        require_gems(run, project)
    with add_tool_output(run):
        if not found or len(found) > _MOST_PROCESSES:
            raise ReportInvalid(f"{MINITEST} left {len(found) or 'no'} report{'s' if found else ''}")
        return merge_outcomes(parse_minitest(read_report(each, MINITEST), MINITEST) for each in found)


def _fail(run: ToolRun) -> ToolRun:
    from msgspec import structs

    return structs.replace(run, exit_code=1)


def _describe(request: Request, project: RubyProject, tool: str, run: ToolRun, outcomes: Outcomes) -> SuiteRun:
    texts = Texts(request.repo_root)
    cases = tuple(_relate(case, request.repo_root / project.folder) for case in outcomes.cases)
    found = Outcomes(cases, outcomes.duration_ms)
    return SuiteRun(tool, None, project.folder, found, tuple(texts.argv(run.argv)), run.exit_code or 0)


def _relate(case: Case, folder: Path) -> Case:
    """Make the path of a case relative to the project's folder; what lies outside of it has none."""
    if case.path is None:
        return case
    place = Path(case.path)
    if not place.is_absolute():
        return replace(case, path=case.path.removeprefix("./"))
    return replace(case, path=place.relative_to(folder).as_posix() if place.is_relative_to(folder) else None)
