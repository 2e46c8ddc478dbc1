"""Run the tests of a declared command in one cell, and find those of chosen files in its report.

A command runs whatever it runs, so that all of its tests run in each cell.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Collection, Sequence
from pathlib import PurePosixPath

from code_adapter.counterfactual.cell_runs import NOT_RUN, OUTCOMES, CellRun, Only, merge_parameters
from code_adapter.counterfactual.classes import Outcome
from code_adapter.counterfactual.planted_texts import plant_texts
from code_adapter.counterfactual.project_cells import ProjectCells
from code_adapter.counterfactual.report_names import locate_cases
from code_adapter.declared_commands import EXIT_CODE, DeclaredCommand, read_declared, read_declared_commands
from code_adapter.integrity.languages.unread import name_unread
from code_adapter.integrity.roles import is_collected
from code_adapter.subject_files import SubjectFiles
from code_adapter.testing.declared_suites import READERS
from verigate.sdk import AdapterError, Request, ToolFailed
from verigate.sdk.reports.outcomes import Case, Outcomes


class DeclaredCells(ProjectCells):
    """The cells of a declared command, for test files that nothing else runs one by one."""

    by_report = True
    runs_one = False
    sources = re.compile("")

    def __init__(
        self, request: Request, entry: DeclaredCommand, tests: Collection[str], taken: Collection[str]
    ) -> None:
        """``tests`` are the files of the test tree; ``taken`` those that something else has run, which may grow."""
        super().__init__(request, "")
        self._entry = entry
        self._tests = [path for path in sorted(tests) if _is_test(path)]
        self._taken = taken

    @property
    def name(self) -> str:
        """How the command is called."""
        return self._entry.name

    def choose(self, tests: Sequence[str], mixed: Sequence[str]) -> list[str]:
        """Choose the test files that the command may run, and that nothing else has."""
        found = (path for path in super().choose(tests, mixed) if _is_test(path) and path not in self._taken)
        return [path for path in found if not self._entry.files or any(_fits(path, each) for each in self._entry.files)]

    def run(self, files: SubjectFiles, paths: Sequence[str], only: Only) -> CellRun:
        """Run the command, with a test that must fail where one can be written."""
        here = [path for path in paths if path in files.known]
        if not here:
            return NOT_RUN
        others = [path for path in self._tests if path in files.known and path not in here]
        try:
            with plant_texts(self._request, here, self._entry.must_fail) as planted:
                outcomes: Outcomes = read_declared(self._request, files, self._entry, READERS)[1]
        except ToolFailed as error:
            return CellRun({}, {}, Outcome.FAILED, error.message, timed_out=error.timed_out)
        except AdapterError as error:
            # A report is part of this version: it says nothing of a run.
            return CellRun({}, {}, Outcome.FAILED, error.message)
        cases = [case for case in outcomes.cases if not any(name in case.id for name in planted)]
        found = locate_cases(cases, files, here, others, self._entry.cwd)
        merged = merge_parameters(found)
        kept = {name: done for name, done in merged.items() if name.name in only.get(name.path, {name.name})}
        return CellRun(kept, {}, _judge(planted, outcomes.cases))


def find_declared_cells(request: Request, tests: Collection[str], taken: Collection[str]) -> list[DeclaredCells]:
    """Make the cells of each declared command that writes a report of its tests."""
    entries = read_declared_commands(request, "tests", EXIT_CODE, *READERS) or ()
    return [DeclaredCells(request, entry, tests, taken) for entry in entries if entry.format != EXIT_CODE]


def _judge(planted: Sequence[str], cases: Sequence[Case]) -> Outcome | None:
    """Say what the planted tests did, the first that isn't a failure; None if none was planted."""
    found = [next((OUTCOMES[case.outcome] for case in cases if name in case.id), Outcome.ABSENT) for name in planted]
    return next((each for each in found if each is not Outcome.FAILED), Outcome.FAILED) if found else None


def _is_test(path: str) -> bool:
    return is_collected(path) or name_unread(path) is not None


def _fits(path: str, pattern: str) -> bool:
    return fnmatch.fnmatchcase(path, pattern) or PurePosixPath(path).match(pattern)
