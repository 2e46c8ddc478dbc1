"""Run chosen test files of a PHP project in one cell, by PHPUnit."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from code_adapter.counterfactual.canary import judge_canaries, write_canaries
from code_adapter.counterfactual.cell_runs import NOT_RUN, OUTCOMES, CellRun, Only, TestName, merge_parameters
from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.phpunit_settings import list_groups, write_settings
from code_adapter.counterfactual.project_cells import ProjectCells
from code_adapter.counterfactual.written_tests import WrittenTests
from code_adapter.detection import Missing
from code_adapter.integrity.languages.test_paths import PATH_RULES
from code_adapter.reports.phpunit import split_method
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.phpunit_suite import start_phpunit
from code_adapter.toolchains.php import PHPUNIT, PhpProject, find_projects
from verigate.sdk import Request, ToolFailed
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.outcomes import Case

_MOST_ROUNDS = 20
_FATAL = re.compile(r" in (?P<path>/[^\n]+?\.php)(?::| on line )[0-9]+")


class PhpunitCells(ProjectCells):
    """The cells of a project that PHPUnit tests."""

    compiles = False
    runs_one = False
    sources = re.compile(r"\.php\Z")

    def choose(self, tests: Sequence[str], mixed: Sequence[str]) -> list[str]:
        """Choose the files that PHPUnit may have tests from."""
        found = super().choose(tests, mixed)
        return [path for path in found if PATH_RULES["php"].is_collected(PurePosixPath(path), ())]

    def run(self, files: SubjectFiles, paths: Sequence[str], only: Only) -> CellRun:
        """Run the files ``paths``, each folder with a test that must fail; report ``only`` the chosen tests."""
        here = [path for path in paths if path in files.known]
        if not here:
            return NOT_RUN
        project = next((each for each in find_projects(self._request, files) if each.folder == self._folder), None)
        if project is None or isinstance(project, Missing):
            why = "no project of PHPUnit is there" if project is None else project.why
            return CellRun({}, {}, Outcome.FAILED, why)
        settings = files.text(project.settings) if project.settings else ""
        try:
            with (
                write_canaries(self._request, here, PHPUNIT, tags=list_groups(settings)) as planted,
                tempfile.TemporaryDirectory(prefix="verigate-") as private,
            ):
                cases, broken = self._start(project, settings, [*here, *planted], private)
                return self._read(cases, here, planted, broken, only)
        except ToolFailed as error:
            return CellRun({}, {}, Outcome.FAILED, error.message, timed_out=error.timed_out)

    def _start(
        self, project: PhpProject, settings: str, paths: Sequence[str], private: str
    ) -> tuple[Sequence[Case], dict[str, str]]:
        """Run the files in one process. One that ends it while it is loaded is left out, and the rest runs again."""
        root, place = self._request.repo_root, Path(private) / "phpunit.xml"
        left = list(paths)
        broken: dict[str, str] = {}
        for _ in range(_MOST_ROUNDS):
            write_settings(settings, root / project.folder, [root / path for path in left], place)
            try:
                return start_phpunit(self._request, project, ["--configuration", str(place)], private)[1].cases, broken
            except ToolFailed as error:
                own = {str(root / path): path for path in left}
                fatal = next((own[path] for path in _FATAL.findall(error.output or "") if path in own), None)
                if fatal is None or error.timed_out:
                    raise
                broken[fatal] = error.message
                left.remove(fatal)
        raise ToolFailed(
            f"more than {_MOST_ROUNDS} test files end {PHPUNIT} when they are loaded", where=project.folder
        )

    def _read(
        self,
        cases: Iterable[Case],
        paths: Sequence[str],
        planted: Collection[str],
        broken: Mapping[str, str],
        only: Only,
    ) -> CellRun:
        written, texts = WrittenTests(self._request.repo_root), Texts(self._request.repo_root)
        found: list[tuple[TestName, Outcome]] = []
        canaries: dict[str, Outcome] = {}
        for case in cases:
            path = texts.path(case.path, self._folder) if case.path else None
            if path in planted and path is not None:
                passed = canaries.get(path) is Outcome.PASSED
                canaries[path] = Outcome.PASSED if passed else OUTCOMES[case.outcome]
            elif path in paths and path is not None:
                # What a class inherits is reported with the file of the class.
                method = split_method(case.id)[1]
                found.append((written.find_called(path, method) or TestName(path, method), OUTCOMES[case.outcome]))
        outcomes = merge_parameters(found)
        kept = {name: done for name, done in outcomes.items() if name.name in only.get(name.path, {name.name})}
        lost = {path: why for path, why in broken.items() if path in paths}
        return CellRun(kept, lost, judge_canaries([*planted], canaries, [name.path for name, _ in found]))


def find_php_folders(request: Request, files: SubjectFiles, lacking: dict[str, str]) -> set[str]:
    """Find the folders of projects whose PHPUnit is there; ``lacking`` gets the files of the others."""
    folders = set()
    for found in find_projects(request, files):
        if isinstance(found, PhpProject):
            folders.add(found.folder)
        else:
            own = (path for path in files.below(found.folder) if path.endswith(".php"))
            lacking |= dict.fromkeys(own, found.why)
    return folders
