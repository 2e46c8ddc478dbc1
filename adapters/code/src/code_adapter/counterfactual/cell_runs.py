"""What a runner reports of the tests in one cell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, Protocol

from code_adapter.counterfactual.classes import Outcome
from code_adapter.subject_files import SubjectFiles

Only = Mapping[str, frozenset[str]]
"""The names of the tests that have to run, by path; of a path that isn't there all tests run."""


OUTCOMES: Mapping[str, Outcome] = {"passed": Outcome.PASSED, "failed": Outcome.FAILED, "skipped": Outcome.ABSENT}
"""What a runner reports of a test, as the outcome in a cell."""


class TestName(NamedTuple):
    """A test: the path of its file in the repository, and its name there, without parameters."""

    path: str
    name: str


@dataclass(frozen=True)
class CellRun:
    """The outcomes of one run. ``broken`` are files that couldn't be imported or compiled: each of their tests is X.

    ``canary`` is what a test did that must fail, None if it isn't in the report. ``why`` says why a run left no report.
    ``ran`` is whether anything had to run, ``timed_out`` whether it ran out of time.
    ``gone`` maps files to the names that they import and the code doesn't have any more, by the name in the file.
    """

    outcomes: Mapping[TestName, Outcome]
    broken: Mapping[str, str]
    canary: Outcome | None
    why: str = ""
    gone: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    ran: bool = True
    timed_out: bool = False

    @property
    def says_something(self) -> bool:
        """Whether its report can be false: one without a test that passed, and without the canary, says nothing."""
        if not self.ran or self.why:
            return False
        return self.canary not in {None, Outcome.ABSENT} or Outcome.PASSED in self.outcomes.values()

    def merge(self, again: CellRun, gone: Mapping[str, Mapping[str, str]]) -> CellRun:
        """Take over a run of the files in ``gone``, with what these miss replaced; its canary counts as well."""
        kept = {path: why for path, why in self.broken.items() if path not in gone}
        canary = self.canary if again.canary is Outcome.FAILED else again.canary
        return replace(
            self,
            outcomes={**self.outcomes, **again.outcomes},
            broken=kept | (dict.fromkeys(gone, again.why) if again.why else dict(again.broken)),
            canary=canary,
            gone=gone,
        )

    def get(self, test: TestName) -> Outcome:
        """Return the outcome of ``test``."""
        if self.why or test.path in self.broken:
            return Outcome.BROKEN
        return self.outcomes.get(test, Outcome.ABSENT)


NOT_RUN = CellRun({}, {}, None, ran=False)
"""No test of the files is there, or none of those that have to run."""


class CellRunner(Protocol):
    """Runs chosen test files of a project, in whatever is checked out."""

    @property
    def folder(self) -> str:
        """The project's folder, relative to the repository."""

    @property
    def base_first(self) -> bool:
        """Whether the cell of base alone has to run first, since what it leaves is used for the others."""

    @property
    def compiles(self) -> bool:
        """Whether it compiles the code itself, in each cell, with the dependencies that the cell names."""

    @property
    def runs_one(self) -> bool:
        """Whether it can run one test of a file alone."""

    @property
    def again_s(self) -> float | None:
        """The seconds that another run of the same version takes, where it is quicker than the first one; else None."""

    def is_ready(self, files: SubjectFiles) -> bool:
        """Whether a run of what is checked out, as ``files``, takes no longer than one of the same version before."""

    @property
    def by_report(self) -> bool:
        """Whether only its report says which tests a file has."""

    def for_mutants(self) -> CellRunner:
        """Return a runner of the same tests that leaves out what costs time and shows nothing of a mutant."""

    def choose(self, tests: Sequence[str], mixed: Sequence[str]) -> list[str]:
        """Choose those files of the test tree, and of sources of the code that hold tests, that this runner may run."""

    def run(self, files: SubjectFiles, paths: Sequence[str], only: Only) -> CellRun:
        """Run the test files ``paths`` of what is checked out, as ``files``, or ``only`` the chosen tests of these."""


_ORDER = (Outcome.FAILED, Outcome.BROKEN, Outcome.PASSED, Outcome.ABSENT)


def merge_parameters(cases: Iterable[tuple[TestName, Outcome]]) -> dict[TestName, Outcome]:
    """Merge the cases of a test that differ in parameters: the worst outcome, and passed before skipped.

    A parameter may be the time of the run, which is another one in the next run.
    """
    found: dict[TestName, Outcome] = {}
    for case, outcome in cases:
        name = case._replace(name=_leave_out_now(case.name))
        before = found.get(name, Outcome.ABSENT)
        found[name] = min(before, outcome, key=_ORDER.index)
    return found


def _leave_out_now(name: str) -> str:
    """Replace the times of today in a name; those of other days are what a test is about."""
    return _INSTANT.sub(lambda found: "<time>" if _is_near(found["day"]) else found[0], name)


_INSTANT = re.compile(r"\b(?P<day>\d{4}-\d\d-\d\d)[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?")


def _is_near(day: str) -> bool:
    """Whether it is that day somewhere on earth."""
    now = datetime.now(UTC)
    return any((now + timedelta(days=days)).date().isoformat() == day for days in (-1, 0, 1))
