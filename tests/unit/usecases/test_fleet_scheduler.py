"""Which job of a fleet runs when, and what counts: a fake clock, and an executor that does as the table says."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verigate.errors import ExecutionError
from verigate.usecases.fleet.scheduler import TRIES, Delivery, Ended, Outcome, Progress, Scheduler

Step = tuple[float, str]
"""How long an attempt takes, and what comes of it: a digest, "die" or "wrong" (a failure that is final)."""


class FakeExecutor:
    """Runs the steps of each job in turn; the last one again and again. ``now`` is the time."""

    def __init__(self, places: int, steps: Sequence[Sequence[Step]]) -> None:
        self.places = places
        self.now = 0.0
        self._steps = steps
        self._made: dict[int, int] = {}
        self._ends: list[tuple[float, int, Ended]] = []
        self.started: list[int] = []
        self.cancelled: list[int] = []
        self.most = 0

    def monotonic(self) -> float:
        return self.now

    def start(self, attempt: int, job: int) -> None:
        count = self._made[job] = self._made.get(job, 0) + 1
        took, what = self._steps[job][min(count, len(self._steps[job])) - 1]
        if what == "die":
            ended = Ended(attempt, failure=f"try {count} died")
        elif what == "wrong":
            ended = Ended(attempt, failure="it is wrong", is_final=True)
        else:
            ended = Ended(attempt, Delivery((job, count), what))
        heapq.heappush(self._ends, (self.now + took, attempt, ended))
        self.started.append(job)
        self.most = max(self.most, len(self._ends))

    def wait(self, timeout: float | None) -> Sequence[Ended]:
        next_end = self._ends[0][0] if self._ends else None
        assert next_end is not None or timeout is not None, "it would wait for ever"
        if timeout is not None and (next_end is None or self.now + timeout < next_end):
            self.now += timeout
            return []
        assert next_end is not None
        self.now = max(self.now, next_end)
        ended = []
        while self._ends and self._ends[0][0] <= self.now:
            ended.append(heapq.heappop(self._ends)[2])
        return ended

    def cancel(self, attempt: int) -> None:
        self.cancelled.append(attempt)
        self._ends = [each for each in self._ends if each[1] != attempt]
        heapq.heapify(self._ends)


def run(
    places: int, *steps: Sequence[Step], longest: Sequence[int] = ()
) -> tuple[list[Outcome], FakeExecutor, list[Progress]]:
    executor = FakeExecutor(places, steps)
    told: list[Progress] = []
    scheduler = Scheduler(len(steps), executor, executor.monotonic, told.append, longest=longest)
    return list(scheduler.run()), executor, told


OK: Step = (1.0, "same")


def test_results_come_in_the_order_of_the_jobs() -> None:
    outcomes, executor, told = run(2, [(9.0, "a")], [OK], [OK])
    assert [(each.job, each.problem) for each in outcomes] == [(0, ""), (1, ""), (2, "")]
    assert executor.most == 2
    assert told[-1] == Progress(3, 3, 0, 0)


def test_an_attempt_that_dies_is_made_once_more() -> None:
    (outcome,), executor, _ = run(1, [(1.0, "die"), OK])
    assert outcome == Outcome(0, (0, 2))
    assert executor.started == [0, 0]


def test_a_job_that_fails_twice_is_set_aside_and_the_others_go_on() -> None:
    outcomes, executor, told = run(2, [(1.0, "die")], [OK], [OK])
    assert outcomes[0].problem == "set aside after 2 tries: try 2 died"
    assert [each.problem for each in outcomes[1:]] == ["", ""]
    assert executor.started.count(0) == TRIES
    assert told[-1].set_aside == 1


def test_what_another_try_cannot_help_is_not_tried_again() -> None:
    (outcome,), executor, _ = run(1, [(1.0, "wrong"), OK])
    assert (outcome.problem, executor.started) == ("it is wrong", [0])


def test_a_straggler_gets_a_copy_after_three_times_the_median_and_the_first_result_counts() -> None:
    outcomes, executor, _ = run(4, [OK], [OK], [OK], [(100.0, "same"), (0.5, "same")])
    assert outcomes[3].value == (3, 2), "the copy's"
    assert executor.now == pytest.approx(3.5)
    assert executor.cancelled == [3]


def test_no_copy_while_anything_waits_or_too_little_is_known() -> None:
    _, executor, _ = run(1, [OK], [OK], [OK], [(50.0, "a")])
    assert executor.started == [0, 1, 2, 3]
    _, executor, _ = run(4, [OK], [OK], [(50.0, "a")])
    assert executor.started == [0, 1, 2]


def test_there_is_one_copy_at_most() -> None:
    _, executor, _ = run(8, [OK], [OK], [OK], [(100.0, "a")])
    assert executor.started.count(3) == 2


@pytest.mark.parametrize(("other", "problem"), [("same", ""), ("different", "found different things")])
def test_both_results_must_agree(other: str, problem: str) -> None:
    # Job 4 keeps the run going until both attempts at job 3 have ended.
    steps = ([OK], [OK], [OK], [(5.0, "same"), (1.0, other)], [(60.0, "z")])
    outcomes, executor, _ = run(5, *steps)
    assert executor.started.count(3) == 2
    assert problem in outcomes[3].problem
    assert (outcomes[3].problem == "") == (problem == "")


def test_a_copy_that_dies_takes_nothing_away() -> None:
    outcomes, _, _ = run(4, [OK], [OK], [OK], [(20.0, "same"), (1.0, "die")])
    assert outcomes[3] == Outcome(3, (3, 1))
    outcomes, _, _ = run(4, [OK], [OK], [OK], [(20.0, "die"), (90.0, "same")])
    assert outcomes[3] == Outcome(3, (3, 2))


def test_what_takes_longest_begins_first_and_is_never_copied() -> None:
    commits = [[OK] for _ in range(20)]
    outcomes, executor, _ = run(2, *commits, [(20.0, "whole")], longest=[20])
    assert executor.started[:2] == [20, 0]
    assert executor.started.count(20) == 1
    assert executor.now == pytest.approx(20.0), "not 10 for the commits and 20 for the whole after them"
    assert [each.job for each in outcomes] == list(range(21))


def test_what_takes_longest_comes_last_where_one_runs_at_a_time() -> None:
    _, executor, _ = run(1, [OK], [OK], [(20.0, "whole")], longest=[2])
    assert executor.started == [0, 1, 2]


def test_what_takes_longest_says_nothing_about_the_others() -> None:
    _, executor, _ = run(2, [OK], [OK], [OK], [(9.0, "late")], [(0.1, "whole")], longest=[4])
    assert executor.started.count(3) == 2
    _, executor, _ = run(2, [OK], [OK], [(9.0, "late")], [(0.1, "whole")], longest=[3])
    assert executor.started.count(2) == 1, "two results make no median"


def test_an_executor_that_is_gone_ends_the_run() -> None:
    class Gone(FakeExecutor):
        def wait(self, timeout: float | None) -> Sequence[Ended]:
            raise ExecutionError(f"the scheduler is gone, {timeout}")

    executor = Gone(1, [[OK]])
    with pytest.raises(ExecutionError, match="gone"):
        list(Scheduler(1, executor, executor.monotonic).run())


def test_no_job_is_no_work() -> None:
    assert run(3)[0] == []


_STEPS = st.lists(
    st.tuples(st.floats(0.01, 100), st.sampled_from(["same", "same", "same", "die", "wrong"])), min_size=1, max_size=3
)


@given(places=st.integers(1, 6), steps=st.lists(_STEPS, max_size=12))
def test_no_verdict_is_lost_doubled_or_made_up(places: int, steps: list[list[Step]]) -> None:
    outcomes, executor, told = run(places, *steps)
    assert [each.job for each in outcomes] == list(range(len(steps)))
    assert executor.most <= places
    for outcome, own in zip(outcomes, steps, strict=True):
        if outcome.problem:
            failing = [what for _, what in own if what != "same"]
            assert failing, "only what fails is set aside"
        else:
            assert outcome.value[0] == outcome.job
        assert executor.started.count(outcome.job) <= TRIES + 1
    assert told[-1].done == len(steps)
    assert told[-1].running == 0
