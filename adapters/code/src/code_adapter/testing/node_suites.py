"""Run JavaScript's test runners: those that write JSON into a private folder, and those that print TAP."""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from code_adapter.detection import Missing, Unexamined
from code_adapter.environment import (
    TOOL_TIMEOUT_S,
    make_tool_environ,
    read_node_package_version,
    read_wanted_node,
)
from code_adapter.reports.jest import parse_jest
from code_adapter.reports.own_json import parse_own
from code_adapter.reports.tap_output import parse_tap_output
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.ava_places import add_places
from code_adapter.testing.impact.change import Change, Selected, WholeSuiteError
from code_adapter.testing.impact.node_impact import (
    SELECTING,
    find_naming,
    list_changed_sources,
    list_vitest_files,
    make_selected,
    require_no_patterns,
    select_jest,
)
from code_adapter.testing.node_commands import make_node_environ, run_commands
from code_adapter.testing.node_options import make_report_options, read_arguments
from code_adapter.testing.node_outputs import build_outputs, find_unbuilt
from code_adapter.testing.node_programs import explain_missing, find_program
from code_adapter.testing.node_projects import find_node_projects
from code_adapter.testing.node_workspaces import join_path
from code_adapter.testing.progress_lines import make_tap_reader
from code_adapter.testing.suites import Suite, check_consistency, check_exit_code
from verigate.sdk import Request, ToolFailed, ToolRun, clean_text, run_tool
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.npm_scripts import RunnerCall
from verigate.sdk.progress import ProgressReport
from verigate.sdk.reports.outcomes import Case, Outcomes
from verigate.sdk.reports.tests import SuiteRun
from verigate.sdk.reports.untrusted import ReportInvalid, add_tool_output, read_report

BUILDS = frozenset({"npm run build", "npm run prepare"})
"""The cases for a build that failed, and that failing tests may need."""

PRINTS_TAP = frozenset({"ava", "tape"})
_MOST_FAILURES = 255
"""mocha's exit code is the number of failures, at most this."""


def detect(request: Request, files: SubjectFiles) -> Iterator[Suite | Missing | Unexamined]:
    """Yield a suite for each call of a runner."""
    for project in find_node_projects(files):
        yield from project.unexamined
        for call in project.calls:
            name = get_tool_name(call.runner)
            program = find_program(request, files, project.folder, call)
            if program is None:
                wanted = call.launcher[0] if call.launcher else call.runner
                yield Missing(name, project.folder, explain_missing(request, files, project.folder, wanted))
            else:
                yield Suite(
                    name,
                    project.folder,
                    partial(run_call, request, files, project.folder, call, program),
                    name_suite(project.folder, call),
                    partial(run_rest, request, files, project.folder, call),
                    _make_selecting(request, files, project.folder, call, program),
                    stands_alone=not call.before and not call.after,
                )


def _make_selecting(
    request: Request, files: SubjectFiles, folder: str, call: RunnerCall, program: Sequence[str]
) -> Callable[[Change], tuple[SuiteRun, Selected]] | None:
    """Make what runs the tests that a change can affect; None for runners that can't tell."""
    if call.runner not in SELECTING or call.before or call.after:
        return None
    return partial(run_selected, request, files, folder, call, program)


def get_tool_name(runner: str) -> str:
    """Return the runner's name in artifacts."""
    return "node:test" if runner == "node" else runner


def name_suite(folder: str, call: RunnerCall) -> str:
    """Name the tests of ``call``, with all that the script says about it."""
    digest = hashlib.sha256(repr(call).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{call.runner} in {folder or '.'} as {digest[:16]}"


def run_rest(request: Request, files: SubjectFiles, folder: str, call: RunnerCall) -> tuple[Case, ...]:
    """Run the commands after the runner, once those before it are done; return the first that failed, or nothing."""
    if not call.after:
        return ()
    return run_commands(request, files, folder, call.before) or run_commands(request, files, folder, call.after)


def run_selected(  # noqa: PLR0917 - what a start needs
    request: Request, files: SubjectFiles, folder: str, call: RunnerCall, program: Sequence[str], change: Change
) -> tuple[SuiteRun, Selected]:
    """Run the test files of jest or vitest that the change can affect.

    Raises ToolFailed, and WholeSuiteError if any may be affected.
    """
    place, root = join_path(folder, call.folder) if call.folder else folder, request.repo_root
    options = read_arguments(root / place, call)
    require_no_patterns(options)

    def ask(words: Sequence[str]) -> ToolRun:
        return start(request, files, place, call, (*program, *words))

    if call.runner == "jest":
        selected = select_jest(lambda words: ask([*options, *words]), root, place, change)
        chosen = [str(root / path) for path in sorted(selected.paths or ())]
        return run_call(request, files, folder, call, program, [*options, "--runTestsByPath", *chosen]), selected
    listed, changed = list_vitest_files(ask, root), list_changed_sources(change, place)
    run = run_call(request, files, folder, call, program, ["related", *changed, "--run", *options[1:]])
    texts = Texts(root)
    ran = frozenset(path for case in run.outcomes.cases if (path := texts.path(case.path, place)) is not None)
    if unasked := next(iter(sorted(find_naming(change, listed) - ran)), None):
        raise WholeSuiteError(f"{unasked} names what changed, and vitest doesn't relate them")
    return run, make_selected("vitest", place, change, listed, ran)


def run_call(  # noqa: PLR0917 - what a start needs
    request: Request,
    files: SubjectFiles,
    folder: str,
    call: RunnerCall,
    program: Sequence[str],
    options: Sequence[str] | None = None,
) -> SuiteRun:
    """Run one call of a runner, and the commands around it; ``options`` in place of its own.

    Raises ToolFailed without a usable exit code and report.
    """
    with tempfile.TemporaryDirectory(prefix="verigate-") as private:
        texts = Texts(request.repo_root, (Path(private),))
        place = join_path(folder, call.folder) if call.folder else folder
        report = Path(private) / "report.json"
        options = read_arguments(request.repo_root / place, call) if options is None else [*options]
        reporting = make_report_options(call.runner, report, Path(private))
        # node passes everything after the first file to that file.
        argv = [*program, *(reporting + options if call.runner == "node" else options + reporting)]
        outcomes, code = _Start(request, files, folder, call, tuple(argv), report).run_built()
        if call.runner == "ava":
            outcomes = add_places(outcomes, files, place)
        return describe_run(request, folder, call, outcomes, texts.argv((call.runner, *argv[1:])), code=code)


def run_arguments(  # noqa: PLR0917 - what a start needs
    request: Request,
    files: SubjectFiles,
    folder: str,
    call: RunnerCall,
    argv: Sequence[str],
    report: Path,
    *,
    read: Callable[[bytes], Outcomes] | None = None,
    must_fail: Callable[[Case], bool] = lambda _: False,
) -> Outcomes:
    """Run ``argv`` as ``call``, with the commands before it, and read ``report``, or by ``read`` what it printed.

    Failures of tests that ``must_fail`` are no reason to build what packages lack. Raises ToolFailed without a report.
    """
    return _Start(request, files, folder, call, tuple(argv), report, read, must_fail).run_built()[0]


def describe_run(
    request: Request,
    folder: str,
    call: RunnerCall,
    outcomes: Outcomes,
    argv: Sequence[str],
    *,
    code: int,
) -> SuiteRun:
    """Describe a finished run of ``call`` in the project in ``folder``."""
    return SuiteRun(
        get_tool_name(call.runner),
        read_runner_version(request, folder, call.runner),
        join_path(folder, call.folder) if call.folder else folder,
        outcomes,
        tuple(argv),
        code,
    )


@dataclass(frozen=True, slots=True)
class _Start:
    """One call of a runner, with its whole argument vector and the path of its report."""

    request: Request
    files: SubjectFiles
    folder: str
    call: RunnerCall
    argv: tuple[str, ...]
    report: Path
    read: Callable[[bytes], Outcomes] | None = None
    must_fail: Callable[[Case], bool] = lambda _: False

    def run_built(self) -> tuple[Outcomes, int]:
        """Run it; where it fails and packages lack what they build, build that, and see whether it helps."""
        problem: ToolFailed | None = None
        outcomes, code = Outcomes(), 1
        try:
            outcomes, code = self.run()
        except ToolFailed as error:
            problem = error
        failing = any(case.outcome == "failed" and not self.must_fail(case) for case in outcomes.cases)
        unbuilt = find_unbuilt(self.request, self.files, self.folder) if problem or failing else ()
        if not unbuilt and problem is not None:
            raise problem
        if not unbuilt:
            return outcomes, code
        failed = build_outputs(self.request, self.files, self.folder, unbuilt)
        if failed is None or not find_unbuilt(self.request, self.files, self.folder):
            self.report.unlink(missing_ok=True)
            again, code_again = self.run()
            # What is built may hold tests, too: a second look at the same failures counts no test twice.
            helped = problem is not None or not _find_failed(outcomes) <= _find_failed(again)
            return (again, code_again) if helped else (outcomes, code)
        message = failed.add_cause(f"the tests need it, and it ended with {failed.ended}")
        return _add(outcomes, (Case(" ".join(failed.argv), "failed", message=f"{message}\n{failed.tail()}"),)), code

    def run(self) -> tuple[Outcomes, int]:
        """Run the commands before it, it, and those after it; return the outcomes and its exit code."""
        if failed := run_commands(self.request, self.files, self.folder, self.call.before):
            return Outcomes(failed), 1
        place = join_path(self.folder, self.call.folder) if self.call.folder else self.folder
        run = start(self.request, self.files, place, self.call, self.argv)
        if self.read is None:
            try:
                outcomes = read_outcomes(run, self.call.runner, self.report)
            except ReportInvalid as problem:
                problem.hint = problem.hint or self._describe_node()
                raise
        else:
            check_exit_code(run, self.call.runner, 0, 1)
            outcomes = self.read(run.stdout)
        after = run_commands(self.request, self.files, self.folder, self.call.after)
        return _add(outcomes, after), run.exit_code or 0

    def _describe_node(self) -> str | None:
        """Describe which node the runner asks for, if this may be another: a runner that is too new crashes."""
        wanted = read_wanted_node(self.request, self.folder, self.call.runner)
        found = read_runner_version(self.request, self.folder, "node")
        if wanted is None or suits(wanted, found or ""):
            return None
        return f"{self.call.runner} asks for node {clean_text(wanted)}; this is {found}"


def suits(wanted: str, found: str) -> bool:
    """Whether a version of node is one of the major versions that a range names: ``^18.18.0 || >=20`` and 24.1.0."""
    major = int(found.partition(".")[0]) if found.partition(".")[0].isdigit() else -1
    parts = [_MAJOR.match(part) for part in wanted.split("||")]
    return any(part and (major >= int(part[2]) if part[1] == ">=" else major == int(part[2])) for part in parts)


_MAJOR = re.compile(r"\s*(>=|\^|~)?\s*v?(\d{1,5})(?:\.[\dx*]+)*\s*$")


def _find_failed(outcomes: Outcomes) -> frozenset[str]:
    return frozenset(case.id for case in outcomes.cases if case.outcome == "failed")


def _add(outcomes: Outcomes, more: tuple[Case, ...]) -> Outcomes:
    return Outcomes((*outcomes.cases, *more), outcomes.duration_ms)


def start(request: Request, files: SubjectFiles, folder: str, call: RunnerCall, argv: Sequence[str]) -> ToolRun:
    """Run ``argv`` with the variables of ``call``."""
    progress = ProgressReport.of(request)
    reported = {"VERIGATE_PROGRESS": progress.path} if progress.path else {}
    env = make_node_environ(request, files, folder, **dict(call.variables), **reported)
    watch = progress.watch_lines(make_tap_reader()) if call.runner in PRINTS_TAP else None
    return run_tool(argv, cwd=request.repo_root / folder, timeout_s=TOOL_TIMEOUT_S, env=env, watch=watch)


def read_outcomes(run: ToolRun, runner: str, report: Path) -> Outcomes:
    """Read the report of a finished run. Raises ToolFailed if it is missing or contradicts the exit code."""
    code = check_exit_code(run, runner, *range((_MOST_FAILURES if runner == "mocha" else 1) + 1))
    with add_tool_output(run):
        outcomes = _parse(run, runner, report)
    check_consistency(runner, code, outcomes, run)
    return outcomes


def _parse(run: ToolRun, runner: str, report: Path) -> Outcomes:
    if runner in PRINTS_TAP:
        if run.truncated:
            raise ReportInvalid(f"the output of {runner} exceeds the size limit")
        return parse_tap_output(run.stdout, runner)
    raw = read_report(report, runner)
    return parse_own(raw, runner) if runner in {"node", "mocha"} else parse_jest(raw, runner)


def read_runner_version(request: Request, folder: str, runner: str) -> str | None:
    """Read the version of ``runner``; None if it reports none."""
    if runner != "node":
        return read_node_package_version(request, folder, runner)
    node = shutil.which("node", path=make_tool_environ(request)["PATH"])
    if node is None:
        return None
    run = run_tool([node, "--version"], cwd=request.repo_root, timeout_s=30, env=make_tool_environ(request))
    return run.stdout.decode("utf-8", "replace").strip().removeprefix("v") or None
