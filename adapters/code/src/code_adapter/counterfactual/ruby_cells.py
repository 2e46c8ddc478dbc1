"""Run chosen test files of a Ruby project in one cell, by RSpec or Minitest."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from code_adapter.counterfactual.canary import judge_canaries, write_canaries
from code_adapter.counterfactual.cell_runs import NOT_RUN, OUTCOMES, CellRun, Only, TestName, merge_parameters
from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.project_cells import ProjectCells
from code_adapter.counterfactual.script_canary import is_focused
from code_adapter.counterfactual.written_tests import WrittenTests
from code_adapter.integrity.languages.test_paths import PATH_RULES
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.rspec_options import list_tags, write_options
from code_adapter.testing.ruby_suites import start_minitest, start_rspec
from code_adapter.toolchains.ruby import MINITEST, RSPEC, RubyProject, find_projects
from verigate.sdk import Request, ToolFailed
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.outcomes import Case

_FOCUS = "focus: true"
_CLASS = re.compile(r"^\s*class\s+([\w:]+)", re.MULTILINE)


class RubyCells(ProjectCells):
    """The cells of a Ruby project. Each form of a file is run by what it is written with."""

    compiles = False
    runs_one = False
    sources = re.compile(r"\.rb\Z")

    def choose(self, tests: Sequence[str], mixed: Sequence[str]) -> list[str]:
        """Choose the files that may hold tests; helpers don't."""
        found = super().choose(tests, mixed)
        return [path for path in found if PATH_RULES["ruby"].is_collected(PurePosixPath(path), ())]

    def run(self, files: SubjectFiles, paths: Sequence[str], only: Only) -> CellRun:
        """Run the test files ``paths`` of what is checked out, each folder with a test that must fail.

        RSpec runs ``only`` the chosen examples; of Minitest no others are reported.
        """
        here = [path for path in paths if path in files.known]
        if not here:
            return NOT_RUN
        project = next((each for each in find_projects(files) if each.folder == self._folder), None)
        tests = project.tests if project is not None else {}
        known = {path: framework for framework, own in tests.items() for path in own}
        done = []
        for framework, program in ((RSPEC, "rspec"), (MINITEST, "ruby")):
            own = [path for path in here if known.get(path) == framework]
            if own and project is not None:
                missing = project.find_missing(self._request, framework, program)
                start = self._run_rspec if framework == RSPEC else self._run_minitest
                found = CellRun({}, {}, Outcome.FAILED, missing.why) if missing else start(files, project, own, only)
                done.append(found)
        others = [path for path in here if known.get(path) not in {RSPEC, MINITEST}]
        if not done:
            return CellRun({}, {}, Outcome.FAILED, "its tests are neither of RSpec nor of Minitest")
        merged = _merge(done)
        return replace(merged, broken={**merged.broken, **dict.fromkeys(others, "nothing here runs this file")})

    def _run_rspec(self, files: SubjectFiles, project: RubyProject, paths: Sequence[str], only: Only) -> CellRun:
        tags = list(list_tags(files, self._folder))
        if any(is_focused(files.text(path)) for path in paths):
            tags.append(_FOCUS)
        with (
            write_canaries(self._request, paths, RSPEC, tags=tags) as planted,
            tempfile.TemporaryDirectory(prefix="verigate-") as private,
        ):
            options = write_options(files, self._folder, Path(private), by_name=False)
            written = WrittenTests(self._request.repo_root)
            left = [*paths, *planted]
            broken: dict[str, str] = {}
            cases: list[Case] = []
            while left:
                named = list(self._name_places(left, only, written))
                try:
                    _, outcomes = start_rspec(self._request, project, options, named, Path(private))
                except ToolFailed as error:
                    return CellRun({}, {}, Outcome.FAILED, error.message, timed_out=error.timed_out)
                cases = list(outcomes.cases)
                # Where a file can't be loaded RSpec runs no other.
                unloaded = {
                    path: case.message for case in cases if case.broken and (path := self._locate(case)) in left
                }
                broken |= unloaded
                left = [path for path in left if path not in unloaded]
                if not unloaded:
                    break
            return self._read(cases, [*paths], planted, broken, only)

    def _run_minitest(self, files: SubjectFiles, project: RubyProject, paths: Sequence[str], only: Only) -> CellRun:
        with (
            write_canaries(self._request, paths, MINITEST) as planted,
            tempfile.TemporaryDirectory(prefix="verigate-") as private,
        ):
            try:
                _, outcomes = start_minitest(self._request, files, project, [*paths, *planted], Path(private))
            except ToolFailed as error:
                return CellRun({}, {}, Outcome.FAILED, error.message, timed_out=error.timed_out)
            cases = [case for case in outcomes.cases if not case.broken]
            unloaded = {self._locate(case): case.message for case in outcomes.cases if case.broken}
            broken = {path: why for path, why in unloaded.items() if path is not None}
            return self._read(cases, paths, planted, broken, only)

    def _name_places(self, paths: Iterable[str], only: Only, written: WrittenTests) -> Iterator[str]:
        """Name the files for RSpec, with the lines of the chosen examples."""
        for path in paths:
            lines = written.find_lines(path, only[path]) if path in only else []
            yield "".join([f"{self._request.repo_root / path}", *(f":{line}" for line in lines)])

    def _locate(self, case: Case) -> str | None:
        place = case.path
        return Texts(self._request.repo_root).path(place.removeprefix("./"), self._folder) if place else None

    def _read(
        self,
        cases: Iterable[Case],
        paths: Sequence[str],
        planted: Sequence[str],
        broken: Mapping[str, str],
        only: Only,
    ) -> CellRun:
        written = WrittenTests(self._request.repo_root)
        found: list[tuple[TestName, Outcome]] = []
        canaries: dict[str, Outcome] = {}
        owners = {name: path for path in paths for name in _CLASS.findall(self._read_text(path))}
        for case in cases:
            path = self._locate(case)
            if path in planted and path is not None:
                passed = canaries.get(path) is Outcome.PASSED
                canaries[path] = Outcome.PASSED if passed else OUTCOMES[case.outcome]
            elif not case.broken:
                name = self._find_name(case, path, paths, owners, written)
                found.append((name, OUTCOMES[case.outcome]))
        outcomes = merge_parameters(found)
        kept = {name: done for name, done in outcomes.items() if name.name in only.get(name.path, {name.name})}
        lost = {path: why for path, why in broken.items() if path in paths}
        return CellRun(kept, lost, judge_canaries(planted, canaries, [name.path for name, _ in found]))

    def _find_name(
        self, case: Case, path: str | None, paths: Sequence[str], owners: Mapping[str, str], written: WrittenTests
    ) -> TestName:
        """Find the test by the place where it is written. One that is written elsewhere belongs to the class."""
        owner, _, method = case.id.partition("#")
        if path in paths and path is not None:
            found = written.find_at(path, case.line)
            return found or TestName(path, case.id)
        named = owners.get(owner, owners.get(owner.rpartition("::")[2]))
        return TestName(named or paths[0], f"{owner} {method}".strip())

    def _read_text(self, path: str) -> str:
        return (self._request.repo_root / path).read_text(encoding="utf-8", errors="replace")


def _merge(runs: Sequence[CellRun]) -> CellRun:
    """Merge runs of different frameworks. Each has tests of its own that must fail: one that passed counts."""
    if len(runs) == 1:
        return runs[0]
    ended = [run for run in runs if not run.why]
    whys = [run.why for run in runs if run.why]
    outcomes = {name: outcome for run in runs for name, outcome in run.outcomes.items()}
    broken = {path: why for run in runs for path, why in run.broken.items()}
    canary = next((run.canary for run in ended if run.canary is not Outcome.FAILED), Outcome.FAILED)
    return CellRun(outcomes, broken, canary, whys[0] if whys and not outcomes and not broken else "")


def find_ruby_folders(request: Request, files: SubjectFiles, lacking: dict[str, str]) -> set[str]:
    """Find the folders of projects whose runner is there; ``lacking`` gets the test files of the others."""
    folders = set()
    for project in find_projects(files):
        for framework, program in ((RSPEC, "rspec"), (MINITEST, "ruby")):
            own = project.tests.get(framework, ())
            missing = project.find_missing(request, framework, program) if own else None
            if missing is not None:
                lacking |= dict.fromkeys(own, missing.why)
            elif own:
                folders.add(project.folder)
    return folders
