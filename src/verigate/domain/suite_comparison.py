"""One suite of tests run inside the sandbox and outside: what fails where, why, and what would help."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from verigate.domain.grants import Grant
from verigate.domain.known_failures import FailureKey, make_failure_key


class SuiteResult(Struct, frozen=True):
    """One run of the suite. ``failing`` maps each failing test to its message.

    ``problem`` says why there is no result, e.g. a crash of the runner; the counts are then 0.
    """

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    failing: Mapping[FailureKey, str] = field(default_factory=dict)
    seconds: float = 0.0
    problem: str | None = None

    @property
    def total(self) -> int:
        """The number of tests."""
        return self.passed + self.failed + self.skipped

    def document(self) -> dict[str, Any]:
        """Return the counts as JSON."""
        return {
            "passed": self.passed,
            "failed": self.failed,
            "skipped": self.skipped,
            "seconds": round(self.seconds, 1),
            "problem": self.problem,
        }


class Candidate(Struct, frozen=True):
    """A grant that might help: ``cause`` says what the trace shows, in one sentence."""

    grant: Grant
    cause: str


class Remedy(Struct, frozen=True):
    """A grant that was tried: ``tests`` pass with it and fail without.

    ``by_hand``: it opens a secret, so only a person adds it.
    """

    grant: Grant
    cause: str
    tests: tuple[FailureKey, ...]
    by_hand: bool = False


class Unhelped(Struct, frozen=True):
    """A test that fails inside only, that no grant helps; ``cause`` says what is known."""

    test: FailureKey
    cause: str


class SuiteExamination(Struct, frozen=True):
    """The result of comparing. ``outside`` is None where nobody agreed to run the suite there.

    ``both`` fail on both sides, ``outside_only`` outside alone; ``flaky`` failed inside once and passed when run again.
    ``remedies`` and ``unhelped`` are about what fails inside only. ``suite_cause`` says why the whole suite can't run
    inside, where it can outside. ``known`` counts the failing tests of the baseline, which stand in no list.
    """

    inside: SuiteResult
    outside: SuiteResult | None = None
    both: tuple[FailureKey, ...] = ()
    outside_only: tuple[FailureKey, ...] = ()
    flaky: tuple[FailureKey, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    unhelped: tuple[Unhelped, ...] = ()
    suite_cause: str | None = None
    known: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether nothing fails inside but what the baseline lists."""
        return self.inside.problem is None and not self.inside.failing


def read_result(value: Mapping[str, Any], seconds: float) -> SuiteResult:
    """Read the result of a tests.json that its schema accepts."""
    failing: dict[FailureKey, str] = {}
    for failure in value.get("failures") or ():
        key = make_failure_key(failure)
        if key is not None:
            failing.setdefault(key, str(failure.get("message") or ""))
    return SuiteResult(value["passed"], value["failed"], value["skipped"], failing, seconds)


def split_failures(
    inside: SuiteResult, outside: SuiteResult
) -> tuple[tuple[FailureKey, ...], tuple[FailureKey, ...], tuple[FailureKey, ...]]:
    """Split the failing tests: those on both sides, inside only, outside only; each sorted."""

    def order(keys: set[FailureKey]) -> tuple[FailureKey, ...]:
        return tuple(sorted(keys, key=lambda key: key.place))

    ours, theirs = set(inside.failing), set(outside.failing)
    return order(ours & theirs), order(ours - theirs), order(theirs - ours)
