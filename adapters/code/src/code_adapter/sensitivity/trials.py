"""Run tests on mutated code, within a budget of time."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean

from code_adapter.counterfactual.cell_calls import CellCalls
from code_adapter.counterfactual.cell_runs import CellRun, CellRunner, TestName
from code_adapter.counterfactual.classes import Outcome
from code_adapter.sensitivity.controls import make_control
from code_adapter.sensitivity.mutants import Mutant
from code_adapter.sensitivity.rewriting import Rewriter
from code_adapter.subject_files import SubjectFiles
from verigate.sdk import Request, ToolFailed
from verigate.sdk.tools import limit_tools

Only = Mapping[str, frozenset[str]]

MOST_S = 120.0
"""Trials of one kind take at most so many seconds, unless the configuration says otherwise."""

WHOLE_S = 480.0
"""Trials of all kinds take at most so many, unless the configuration sets the time for each."""

STAGE_RUNS = 40
"""So many runs are made of the test files of one stage, unless the configuration sets the time."""

_LEAST_RUN_S = 0.25
"""A run that takes less counts as one that takes this."""

LONGEST_S = 3600
"""The most seconds that the configuration may set."""

_OTHER_RUNS = 3
"""Tests run as they are, and on controls before and after the mutants."""

_SLOWER = 5.0
_LEAST_S = 5.0
"""A test may take this long with a mutant, and five times as long as without."""


def read_processor_time() -> float:
    """Read the seconds of processor time of all programs that were started here and have ended."""
    times = os.times()
    return times.children_user + times.children_system


class OutOfTimeError(Exception):
    """The budget is used up."""


@dataclass
class Budget:
    """When time is up, and by what runs are counted, so that a busy machine makes as many as an idle one.

    ``until`` is a moment of the monotonic clock, in seconds. A run takes ``run_s`` seconds, the first one ``first_s``.
    """

    until: float
    run_s: float
    first_s: float

    @property
    def stage_s(self) -> float:
        """The most seconds that the first run of another stage may take, as all of its runs are as slow."""
        return max(STAGE_RUNS * max(self.run_s, _LEAST_RUN_S), 2 * self.first_s)

    def weigh(self, seconds: float) -> int:
        """Return as how many runs one counts that takes so many seconds. A little longer is no longer."""
        return max(1, math.ceil(seconds / max(self.run_s, _LEAST_RUN_S) - 0.25))

    def has_room(self, seconds: float) -> bool:
        """Whether so much time is left."""
        return self.until - time.monotonic() > seconds

    def check(self) -> float:
        """Return the seconds left. Raises OutOfTimeError."""
        left = self.until - time.monotonic()
        if left <= 0:
            raise OutOfTimeError
        return left


@dataclass
class Trials:
    """Tests of one version, which is checked out as ``here``: all of the files ``paths``, or ``only`` some of these.

    ``passing`` are those that pass as it is, which takes ``normal_s`` seconds.
    """

    runner: CellRunner
    files: Rewriter
    here: SubjectFiles
    paths: Sequence[str]
    only: Only
    passing: frozenset[TestName]
    normal_s: float
    budget: Budget
    spent: list[float] = field(default_factory=list)
    """The seconds of each run since."""

    efforts: list[float] = field(default_factory=list)
    """The same, or the processor time of its programs where that is less: what a busy machine adds doesn't count."""

    ended_early: int = 0
    """As how many runs those count that didn't end by themselves, beyond one each."""

    reading: frozenset[TestName] = frozenset()
    """Tests that fail where the code was written in another way: they read sources, and notice any mutant."""

    @property
    def typical_s(self) -> float:
        """The seconds that a run takes: the first one may be slow, and a busy machine gets slower."""
        return max(min([self.normal_s, *self.spent]), fmean(self.spent[-5:] or [0.0]))

    def find_noticing(self, *mutants: Mutant) -> frozenset[TestName] | None:
        """Find the tests that fail with these mutants; None if one doesn't compile or a test doesn't end.

        Raises OutOfTimeError.
        """
        return self._find(Outcome.FAILED, *mutants)

    def find_passing(self, *mutants: Mutant) -> frozenset[TestName] | None:
        """Find the tests that pass with these mutants; None if one doesn't compile or a test doesn't end.

        Raises OutOfTimeError.
        """
        return self._find(Outcome.PASSED, *mutants)

    def _find(self, wanted: Outcome, *mutants: Mutant) -> frozenset[TestName] | None:
        contents: dict[str, bytes] = {}
        # The last place of a file first, so that the others stay where they are.
        for mutant in sorted(mutants, key=lambda each: (each.path, -each.start)):
            before = contents.get(mutant.path)
            contents[mutant.path] = mutant.apply(self.files.read(mutant.path) if before is None else before)
        with self.files.write(contents):
            found = self._run()
        if found is None:
            return None
        return frozenset(test for test in self.passing if found.get(test) is wanted) - self.reading

    def find_all_noticing(
        self, mutants: Sequence[Mutant], most: float = math.inf
    ) -> dict[Mutant, frozenset[TestName] | None]:
        """Find for each mutant by itself the tests that notice it, without those that read sources.

        Mutants for which there is no time are left out, and those beyond ``most`` runs. Raises OutOfTimeError.
        """
        if not mutants or (each := self.budget.weigh(self.normal_s)) * (_OTHER_RUNS + 1) > most:
            return {}
        self.find_reading(mutants)
        found: dict[Mutant, frozenset[TestName] | None] = {}
        for mutant in mutants:
            runs = each * (len(found) + _OTHER_RUNS + 1) + self.ended_early
            if runs > most or not self.budget.has_room(2 * self.typical_s):
                break
            found[mutant] = self.find_noticing(mutant)
        self.find_reading(mutants)
        return {mutant: None if tests is None else tests - self.reading for mutant, tests in found.items()}

    def find_reading(self, mutants: Iterable[Mutant]) -> None:
        """Find the tests that read the sources of ``mutants``; all, if they don't end. Raises OutOfTimeError.

        Called again, it adds to those that were found: a test may also notice how often files were written.
        """
        lines: dict[str, set[int]] = {}
        for mutant in mutants:
            lines.setdefault(mutant.path, set()).add(mutant.line)
        with self.files.write({path: make_control(path, self.files.read(path), own) for path, own in lines.items()}):
            found = self._run()
        self.reading |= {test for test in self.passing if found is None or found.get(test) is not Outcome.PASSED}

    def _run(self) -> CellRun | None:
        limit = self.budget.check()
        if self.runner.is_ready(self.here):
            limit = min(limit, _LEAST_S + _SLOWER * self.normal_s)
        started, used = time.monotonic(), read_processor_time()
        found = None
        with limit_tools(limit), suppress(ToolFailed):  # what a mutant breaks, or what had no time left
            found = self.runner.run(self.here, list(self.paths), self.only)
        self.spent.append(time.monotonic() - started)
        effort = read_processor_time() - used
        # Programs that a server of the runner starts are counted once that ends.
        self.efforts.append(min(self.spent[-1], effort) if effort > 0 else self.spent[-1])
        self.budget.check()
        if found is None or found.timed_out:
            # The time is that of the limit: how busy the machine is doesn't matter.
            self.ended_early += self.budget.weigh(limit) - 1 if self.spent[-1] >= limit else 0
            return None
        if found.why or found.broken or found.canary is not Outcome.FAILED:
            return None
        return None if any(found.get(test) is Outcome.BROKEN for test in self.passing) else found


@dataclass(frozen=True)
class Bench:
    """Where the tests of one project are tried. ``seconds`` is the configured budget, None for the usual one.

    ``inner`` are the sources of each version that hold tests of their own.
    """

    request: Request
    calls: CellCalls
    runner: CellRunner
    seconds: float | None
    inner: Mapping[str, frozenset[str]] = field(default_factory=dict)
    latest: float = math.inf
    """The moment of the monotonic clock, in seconds, at which time is up for all trials."""

    @cached_property
    def files(self) -> Rewriter:
        """What writes mutants, for all trials: each time that it gives a file is later than those before."""
        return Rewriter(self.request, self.calls.checkout)

    @property
    def most_s(self) -> float:
        """The seconds that trials of one kind may take."""
        return self.seconds or MOST_S

    @property
    def stage_runs(self) -> float:
        """The runs that are made of the test files of one stage: no number where the configuration sets the time."""
        return STAGE_RUNS if self.seconds is None else math.inf

    @property
    def time_up(self) -> str:
        """Say that time was up, by which setting, and which line gives more."""
        usual = f"mutants_s isn't set (at most {MOST_S:g} s); set it"
        says = usual if self.seconds is None else f"mutants_s is {self.seconds:g}; raise it"
        more = min(2 * (self.seconds or MOST_S), LONGEST_S)
        return f'time was up: {says} in config/adapters.json, as {{"code": {{"mutants_s": {more:g}}}}}'

    def begin(
        self,
        cell: str,
        paths: Sequence[str],
        only: Only,
        budget: Budget | None = None,
        *,
        least: int = 4,
        most_s: float = math.inf,
        some_pass: bool = True,
    ) -> Trials | None:
        """Run tests as they are, to see which pass, and how long they take; None where that says nothing.

        With ``some_pass`` it says nothing either if none passes. Of a budget this run takes ``most_s`` seconds at most;
        without one a budget begins then.

        Raises OutOfTimeError, also where ``least`` runs, without which nothing can be said, don't fit into the time.
        """
        here = self.calls.check_out(cell)
        started = time.monotonic()
        try:
            with limit_tools(min(budget.check(), most_s) if budget is not None else None):
                run = self.runner.run(here, list(paths), only)
        except ToolFailed:
            if budget is not None:
                budget.check()
            raise
        first = time.monotonic() - started
        if budget is not None and run.timed_out:
            raise OutOfTimeError
        normal = first if self.runner.again_s is None else self.runner.again_s
        passing = frozenset(test for test, outcome in run.outcomes.items() if outcome is Outcome.PASSED)
        if (run.ran and (run.why or run.canary is not Outcome.FAILED)) or (some_pass and not passing):
            return None
        if budget is None:
            now = time.monotonic()
            budget = Budget(min(now + self.most_s, self.latest), normal, first)
            if not budget.has_room(least * normal):
                raise OutOfTimeError
        return Trials(self.runner, self.files, here, paths, only, passing, normal, budget)


def choose_only(tests: Iterable[TestName]) -> dict[str, frozenset[str]]:
    """Choose the tests by path, as runners take them."""
    listed: Sequence[TestName] = list(tests)
    return {
        path: frozenset(test.name for test in listed if test.path == path) for path in {each.path for each in listed}
    }
