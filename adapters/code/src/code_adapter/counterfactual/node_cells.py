"""Run chosen test files of a JavaScript project in one cell, by the runner that its scripts call there."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from code_adapter.counterfactual.canary import judge_canaries, read_title, write_canaries
from code_adapter.counterfactual.cell_runs import NOT_RUN, OUTCOMES, CellRun, Only, TestName, merge_parameters
from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.forms import TestNames, make_title_pattern
from code_adapter.counterfactual.project_cells import ProjectCells
from code_adapter.reports.tape_output import parse_tape_tests
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.node_options import make_report_options, read_arguments
from code_adapter.testing.node_programs import explain_missing, find_program
from code_adapter.testing.node_projects import NodeProject, find_node_projects
from code_adapter.testing.node_suites import BUILDS, PRINTS_TAP, run_arguments
from code_adapter.testing.node_workspaces import join_path
from verigate.sdk import Request, ToolFailed
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.npm_scripts import RunnerCall
from verigate.sdk.reports.outcomes import Case

_TAKES_VALUE = re.compile(
    r"--(?:require|import|loader|experimental-loader|config|project|file|setupFiles\w*|globalSetup|ui|extension|ignore"
    r"|package|env|environment|testEnvironment|timeout|concurrency|test-concurrency|conditions|env-file|dir|root)$"
    r"|-[rcuptC]$"
)
_BROKEN = re.compile(
    r"Cannot find module|ERR_MODULE_NOT_FOUND|SyntaxError|Failed to resolve import|does not provide an export"
)
_NO_COVERAGE = "--coverage=false"
_OF_CANARY = re.compile(r"[a-z]+-[0-9a-f]{6}")
_BY_PATTERN: Mapping[str, str] = {"jest": "--testNamePattern", "vitest": "--testNamePattern", "mocha": "--grep"}
_CHOOSES = re.compile(r"-[tgf]$|--(?:testNamePattern|test-name-pattern|grep|fgrep)(?:=|$)")


class NodeCells(ProjectCells):
    """The cells of a JavaScript project. Each form of the tests has the runner that its own package.json calls."""

    compiles = False
    runs_one = False
    sources = re.compile(r"\.(?:[cm]?js|[cm]?ts|jsx|tsx)\Z")

    def __init__(
        self, request: Request, folder: str, names: TestNames, *, alone: bool = False, coverage: Sequence[str] = ()
    ) -> None:
        super().__init__(request, folder)
        self._names = names
        self._alone = alone
        self._coverage = coverage

    def measured_by(self, request: Request, coverage: Sequence[str]) -> NodeCells:
        """Return cells that run for another request, and leave out other tests where the runner can.

        ``coverage`` are Jest's options in place of the one that turns its coverage off.
        """
        return NodeCells(request, self._folder, self._names, alone=True, coverage=coverage)

    def can_run_alone(self, files: SubjectFiles) -> bool:
        """Whether every runner that is called there can leave out the other tests of a file."""
        calls = [call for found in find_node_projects(files) if found.folder == self._folder for call in found.calls]
        return all(call.runner == "node" or call.runner in _BY_PATTERN for call in calls)

    def run(self, files: SubjectFiles, paths: Sequence[str], only: Only) -> CellRun:
        """Run the test files ``paths`` of what is checked out, by each runner call until all were run.

        Runners that choose tests by a pattern run ``only`` the chosen ones; of these no others are reported.
        """
        left = [path for path in paths if path in files.known]
        if not left:
            return NOT_RUN
        project = next((found for found in find_node_projects(files) if found.folder == self._folder), None)
        if project is None or not project.calls:
            return CellRun({}, {}, Outcome.FAILED, "no runner is called there")
        found: list[CellRun] = []
        for call in project.calls:
            batches = [[path] for path in left] if call.runner in PRINTS_TAP else [left]
            found += [self._run(files, project, call, batch, only) for batch in batches]
            reported = {name.path for run in found for name in run.outcomes} | {
                path for run in found for path in run.broken
            }
            left = [path for path in left if path not in reported]
            if not left:
                break
        return _merge(found)

    def _run(
        self, files: SubjectFiles, project: NodeProject, call: RunnerCall, paths: Sequence[str], only: Only
    ) -> CellRun:
        program = find_program(self._request, files, project.folder, call)
        if program is None:
            why = explain_missing(self._request, files, project.folder, call.runner)
            return CellRun({}, {}, Outcome.FAILED, why)
        place = self._request.repo_root / join_path(project.folder, call.folder)
        with (
            write_canaries(self._request, paths, call.runner) as planted,
            tempfile.TemporaryDirectory(prefix="verigate-") as private,
        ):
            report = Path(private) / "report.json"
            named = [str(self._request.repo_root / path) for path in _order(call.runner, paths, planted)]
            argv = _make_arguments(program, call, place, report, named)
            if self._coverage and call.runner == "jest":
                argv = [word for each in argv for word in (self._coverage if each == _NO_COVERAGE else [each])]
            if all(path in only for path in paths) and not any(_CHOOSES.match(word) for word in argv):
                titles = [read_title(self._request.repo_root / path) for path in planted]
                argv += _choose(call.runner, [*titles, *(name for path in paths for name in only[path])])
            if self._alone and call.runner == "node" and all(path in only for path in paths):
                # It compares the titles of tests without those of the suites around them.
                titles = [read_title(self._request.repo_root / path) for path in planted]
                titles += [end for path in paths for name in only[path] for end in _list_ends(name)]
                argv[len(program) : len(program)] = [f"--test-name-pattern=/^(?:{'|'.join(map(re.escape, titles))})$/"]
            alone = replace(call, before=tuple(each for each in call.before if not _CHECKS.search(each.text)), after=())
            inside = join_path(project.folder, call.folder)
            must_fail = partial(self._is_canary, place=inside, planted=planted)
            read = None
            if call.runner == "tape":
                titles = [read_title(self._request.repo_root / path) for path in planted]
                read = partial(parse_tape_tests, find_title=partial(self._find_titled, paths[0], titles))
            try:
                outcomes = run_arguments(
                    self._request, files, project.folder, alone, argv, report, read=read, must_fail=must_fail
                )
            except ToolFailed as error:
                return CellRun({}, {}, Outcome.FAILED, error.message, timed_out=error.timed_out)
        found = self._read([case for case in outcomes.cases if case.id not in BUILDS], inside, paths, planted)
        kept = {name: done for name, done in found.outcomes.items() if name.name in only.get(name.path, {name.name})}
        return replace(found, outcomes=kept)

    def _is_canary(self, case: Case, *, place: str, planted: Sequence[str]) -> bool:
        texts = Texts(self._request.repo_root)
        return _find_canary(case, planted, {texts.path(case.path, place), texts.path(case.id, place)}) is not None

    def _find_titled(self, path: str, canaries: Sequence[str], title: str) -> str | None:
        return title if title in canaries else self._names.find_titled(path, title)

    def _read(self, cases: Iterable[Case], place: str, paths: Sequence[str], planted: Sequence[str]) -> CellRun:
        texts = Texts(self._request.repo_root)
        canaries: dict[str, Outcome] = {}
        found: list[tuple[TestName, Outcome]] = []
        broken: dict[str, str] = {}
        for case in cases:
            path = texts.path(case.path, place) or paths[0]
            is_file = case.path is not None and (texts.path(case.id, place) or case.id) == path
            canary = _find_canary(case, planted, {path, texts.path(case.id, place)})
            if canary is not None:
                passed = canaries.get(canary) is Outcome.PASSED
                canaries[canary] = Outcome.PASSED if passed else OUTCOMES[case.outcome]
            elif case.outcome == "failed" and (is_file or case.id in {"", path}):
                broken[path] = case.message
            else:
                name = self._names.find(path, " ".join(case.id.split(" > ")))
                found.append((TestName(path, name), OUTCOMES[case.outcome]))
        canary = judge_canaries(planted, canaries, [name.path for name, _ in found])
        return CellRun(merge_parameters(found), broken, canary)


_CHECKS = re.compile(
    r"(?:^|\s)(?:(?:lint|type-?check|check-?types|format:check|prettier:check)[\w:-]*$|(?:\S*/)?(?:eslint|prettier|xo|standard)(?=\s|$))"
    r"|\btsc\b.*--noEmit\b"
)
"""Commands in front of tests that write nothing. What they judge may be gone with the other version's tests."""


def _find_canary(case: Case, planted: Sequence[str], paths: Collection[str | None]) -> str | None:
    """Find the planted file that a case is of: by one of its paths, or its title."""
    return next((each for each in planted if each in paths or _is_of(each, case.id)), None)


def _is_of(canary: str, reported: str) -> bool:
    """Whether a reported name has that of the canary's file, without the endings that AVA drops, or its title."""
    name = _OF_CANARY.match(canary.rpartition("/")[2])
    return name is not None and (name[0] in reported or name[0].replace("-", "_") in reported)


def _order(runner: str, paths: Sequence[str], planted: Sequence[str]) -> tuple[str, ...]:
    """Order the files; tape ends with the first exception, so that the test that must fail comes first."""
    return (*planted, *paths) if runner == "tape" else (*paths, *planted)


def _make_arguments(
    program: Sequence[str], call: RunnerCall, place: Path, report: Path, paths: Sequence[str]
) -> list[str]:
    options = list(_drop_files(read_arguments(place, call), place))
    reporting = make_report_options(call.runner, report, report.parent)
    if call.runner == "node":
        return [*program, *reporting, *options, *paths]
    by_path = ["--runTestsByPath"] if call.runner == "jest" else []
    return [*program, *options, *reporting, *by_path, *paths]


def _choose(runner: str, names: Iterable[str]) -> list[str]:
    """Choose tests by their titles, with those of their suites; nothing for a runner that can't."""
    if runner not in _BY_PATTERN:
        return []
    return [f"{_BY_PATTERN[runner]}={'|'.join(sorted(make_title_pattern(name) for name in names))}"]


def _list_ends(name: str) -> Iterator[str]:
    """List what the title of a test can be, by its name with those of the suites around it."""
    words = name.split(" ")
    return (" ".join(words[index:]) for index in range(len(words)))


def _drop_files(words: Sequence[str], place: Path) -> Iterator[str]:
    """Drop the words that choose files; the values of options stay."""
    before = ""
    for word in words:
        is_value = bool(_TAKES_VALUE.match(before))
        chooses = not word.startswith("-") and ("*" in word or "/" in word or (place / word).exists())
        if is_value or not chooses:
            yield word
        before = word


def _merge(runs: Sequence[CellRun]) -> CellRun:
    """Merge runs of different files. Each has a canary of its own: one that passed counts."""
    outcomes = {name: outcome for run in runs for name, outcome in run.outcomes.items()}
    broken = {path: why for run in runs for path, why in run.broken.items()}
    whys = [run.why for run in runs if run.why]
    ended = [run for run in runs if not run.why]
    canary = next((run.canary for run in ended if run.canary is not Outcome.FAILED), Outcome.FAILED)
    return CellRun(outcomes, broken, canary, whys[0] if whys and not outcomes and not broken else "")
