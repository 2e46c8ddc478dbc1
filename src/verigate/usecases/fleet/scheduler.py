"""Decide which job runs when, which runs again, and what counts of it. Pure: clock and executor are arguments.

- An attempt that ends without a result is made once more; a second failure sets the job aside with its reason, and the
  others go on.
- Where places are free and nothing waits, a job that takes longer than three times the median gets a copy. The first
  result counts. The other attempt goes on as long as anything else does; what it still delivers must be the same.
- A job that is known to take longest, such as a range as a whole, begins first where several can run at once: as the
  last one it would run alone. That it takes long is no reason for a copy.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from statistics import median
from typing import Any, Protocol

from msgspec import Struct, field

TRIES = 2
"""Attempts without a result after which a job is set aside."""

STRAGGLES_AFTER = 3
"""Times the median."""

_ENOUGH = 3
"""Results from which on there is a median to compare with."""


_SHORTEST_WAIT_S = 0.001
"""A wait that is rounded to nothing would be repeated for ever."""


class Delivery(Struct, frozen=True):
    """The result of an attempt. Two of one job agree if their ``digest`` is the same."""

    value: Any
    digest: str | None


class Ended(Struct, frozen=True):
    """How an attempt ended: with a result, or with ``failure``; ``is_final``: another attempt can't help."""

    attempt: int
    delivery: Delivery | None = None
    failure: str = ""
    is_final: bool = False


class Executor(Protocol):
    """Runs attempts at the same time. Any call may raise GateError, which ends all of the run."""

    @property
    def places(self) -> int:
        """How many attempts may run at once, now."""

    def start(self, attempt: int, job: int) -> None:
        """Start an attempt at a job, both by their numbers."""

    def wait(self, timeout: float | None) -> Sequence[Ended]:
        """Wait until an attempt ends, at most so many seconds; return those that did. None of a cancelled one."""

    def cancel(self, attempt: int) -> None:
        """End an attempt, of which nothing is to be heard any more."""


class Outcome(Struct, frozen=True):
    """What became of a job. ``problem`` is empty if ``value`` is its result."""

    job: int
    value: Any
    problem: str = ""


class Progress(Struct, frozen=True):
    """How far a run is: jobs that are done of all, attempts that run, jobs that were set aside."""

    done: int
    total: int
    running: int
    set_aside: int


class _Job(Struct):
    running: set[int] = field(default_factory=set)
    deliveries: list[Delivery] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    was_copied: bool = False
    outcome: Outcome | None = None


class _Attempt(Struct):
    job: int
    started: float


class Scheduler:
    """One run of ``total`` jobs. ``monotonic`` returns seconds; ``tell`` hears of each change.

    ``longest`` are the numbers of those that are known to take longer than the others.
    """

    def __init__(
        self,
        total: int,
        executor: Executor,
        monotonic: Callable[[], float],
        tell: Callable[[Progress], None] = lambda _: None,
        *,
        longest: Collection[int] = (),
    ) -> None:
        self._jobs = [_Job() for _ in range(total)]
        self._longest = frozenset(longest)
        self._executor = executor
        self._monotonic = monotonic
        self._tell = tell
        first = self._longest if self._longest and executor.places > 1 else frozenset()
        self._waiting = deque(sorted(range(total), key=lambda job: (job not in first, job)))
        self._attempts: dict[int, _Attempt] = {}
        self._durations: list[float] = []
        self._made = 0

    def run(self) -> Iterator[Outcome]:
        """Run all jobs; yield what became of each in their order, as soon as it and those before it are done."""
        reported = 0
        while reported < len(self._jobs):
            self._fill()
            self._report()
            ended = self._executor.wait(self._find_timeout())
            for each in ended:
                self._take(each)
            self._settle()
            while reported < len(self._jobs) and (outcome := self._jobs[reported].outcome) is not None:
                reported += 1
                yield outcome
        self._report()

    def _fill(self) -> None:
        while self._waiting and self._has_place():
            self._start(self._waiting.popleft())
        while not self._waiting and self._has_place() and (late := self._find_straggler()) is not None:
            self._jobs[late].was_copied = True
            self._start(late)

    def _has_place(self) -> bool:
        return len(self._attempts) < self._executor.places

    def _start(self, job: int) -> None:
        attempt, self._made = self._made, self._made + 1
        self._attempts[attempt] = _Attempt(job, self._monotonic())
        self._jobs[job].running.add(attempt)
        self._executor.start(attempt, job)

    def _find_straggler(self) -> int | None:
        """Return the job whose attempt has run longest, if that is too long and it has no copy; None without one."""
        limit = self._find_limit()
        if limit is None:
            return None
        now = self._monotonic()
        late = [each for each in self._list_single() if now - each.started >= limit]
        return min(late, key=lambda each: each.started).job if late else None

    def _list_single(self) -> list[_Attempt]:
        """List the attempts at jobs without a result or a copy."""
        single = []
        for each in self._attempts.values():
            job = self._jobs[each.job]
            is_copied = job.was_copied or each.job in self._longest
            if len(job.running) == 1 and not is_copied and not job.deliveries:
                single.append(each)
        return single

    def _find_limit(self) -> float | None:
        """Return the seconds after which an attempt straggles; None if too little is known."""
        return STRAGGLES_AFTER * median(self._durations) if len(self._durations) >= _ENOUGH else None

    def _find_timeout(self) -> float | None:
        """Return the seconds until the next attempt straggles; None if only an end changes anything."""
        limit = self._find_limit()
        single = self._list_single()
        if limit is None or self._waiting or not self._has_place() or not single:
            return None
        return max(_SHORTEST_WAIT_S, min(each.started for each in single) + limit - self._monotonic())

    def _take(self, ended: Ended) -> None:
        attempt = self._attempts.pop(ended.attempt, None)
        if attempt is None:
            return
        job = self._jobs[attempt.job]
        job.running.discard(ended.attempt)
        if ended.delivery is not None:
            job.deliveries.append(ended.delivery)
            if attempt.job not in self._longest:
                self._durations.append(self._monotonic() - attempt.started)
            return
        job.failures.append(ended.failure)
        if job.running or job.deliveries:
            return
        if ended.is_final or len(job.failures) >= TRIES:
            job.outcome = Outcome(attempt.job, None, _explain(job.failures, is_final=ended.is_final))
        else:
            self._waiting.appendleft(attempt.job)

    def _settle(self) -> None:
        """Decide on the jobs with a result. An attempt that is left is cancelled once nothing else is to be done."""
        open_jobs = [number for number, job in enumerate(self._jobs) if job.outcome is None]
        is_last = all(self._jobs[number].deliveries for number in open_jobs)
        for number in open_jobs:
            job = self._jobs[number]
            if not job.deliveries:
                continue
            if job.running and (is_last or self._waiting):
                for attempt in sorted(job.running):
                    del self._attempts[attempt]
                    self._executor.cancel(attempt)
                job.running.clear()
            if not job.running:
                job.outcome = _decide(number, job.deliveries)

    def _report(self) -> None:
        done = [job.outcome for job in self._jobs if job.outcome is not None]
        aside = sum(bool(outcome.problem) for outcome in done)
        self._tell(Progress(len(done), len(self._jobs), len(self._attempts), aside))


def _decide(number: int, deliveries: Sequence[Delivery]) -> Outcome:
    first = deliveries[0]
    if any(each.digest != first.digest for each in deliveries):
        return Outcome(number, None, "two runs of it at once found different things; verify it by itself")
    return Outcome(number, first.value)


def _explain(failures: Sequence[str], *, is_final: bool) -> str:
    last = failures[-1]
    return last if is_final else f"set aside after {len(failures)} tries: {last}"
