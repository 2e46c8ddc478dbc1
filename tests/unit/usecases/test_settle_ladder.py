"""The ladder of offers: what is tried in which order, what proves an offer, and what ends the climb."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import literal_facts as literal
import pytest
from msgspec.structs import replace

from verigate.domain.execution import CapabilityRun
from verigate.domain.suite_comparison import SuiteResult
from verigate.usecases.settle.ladder import Proposal, Rung, Settlement, Trial, climb
from verigate.usecases.settle.obstacles import Obstacle
from verigate.usecases.suite_fixes import SuiteFix

TESTS = Obstacle("code:tests", "3 of 9 tests failed", suite=SuiteResult(6, 3, 1))


def fix(path: str) -> SuiteFix:
    return SuiteFix(path, "{}", False, f"write {path}?", (f"changes {path}",))


class Bench:
    """``ends`` maps the files of a proposal to how the capability ends with them."""

    def __init__(self, ends: dict[str, Trial], *, notices: bool | None = True, runs: int = 99) -> None:
        self._ends, self._notices, self._runs = ends, notices, runs
        self.calls: list[str] = []

    @property
    def is_out_of_time(self) -> bool:
        return len(self.calls) >= self._runs

    def try_files(self, capability: str, fixes: Sequence[SuiteFix]) -> Trial:
        assert capability == "code:tests"
        self.calls.append(" ".join(each.path for each in fixes))
        return self._ends.get(self.calls[-1], Trial(TESTS))

    def notices_broken_tests(self, capability: str, fixes: Sequence[SuiteFix]) -> bool | None:
        self.calls.append(f"{capability} broken with {' '.join(each.path for each in fixes)}")
        return self._notices


def rung(*proposals: Proposal) -> Rung:
    return lambda _: iter(proposals)


def run(bench: Bench, *rungs: Rung, wanted: Sequence[str] | None = None) -> tuple[Settlement, list[str]]:
    accepted: list[str] = []

    def accept(proposal: Proposal) -> bool:
        accepted.append(proposal.what)
        return wanted is None or proposal.what in wanted

    return climb(TESTS, rungs, bench, accept, lambda _: None), accepted


def test_the_first_offer_that_settles_it_ends_the_climb() -> None:
    bench = Bench({"b": Trial(None)})
    end, accepted = run(bench, rung(Proposal("A", (fix("a"),))), rung(Proposal("B", (fix("b"),))), rung(Proposal("C")))
    assert (end.settled, end.tried, accepted, bench.calls) == (True, ("A: 3 of 9 tests failed",), ["B"], ["a", "b"])


def test_what_was_not_wanted_leaves_the_next_offer() -> None:
    bench = Bench({"a": Trial(None), "b": Trial(None)})
    end, accepted = run(bench, rung(Proposal("A", (fix("a"),)), Proposal("B", (fix("b"),))), wanted=["B"])
    assert (end.settled, accepted) == (True, ["A", "B"])


def test_what_holds_anyway_is_kept_and_the_rest_goes_on_with_what_is_left() -> None:
    less = Obstacle("code:tests", "1 of 9 tests failed", suite=SuiteResult(8, 1, 1))
    seen: list[str] = []

    def later(obstacle: Obstacle) -> Iterator[Proposal]:
        seen.append(obstacle.message)
        yield Proposal("B", (fix("b"),))

    bench = Bench({"a": Trial(less), "b": Trial(None)})
    end, accepted = run(bench, rung(Proposal("A", (fix("a"),), keeps=True)), later)
    assert (end.settled, accepted, seen) == (True, ["A", "B"], ["1 of 9 tests failed"])


def linted(errors: int, **others: Any) -> Obstacle:
    facts = {"errors": errors, "issues": []}
    run = CapabilityRun("code:lint", True, artifacts=(literal.artifact("lint.json", facts),))
    return replace(TESTS, message=f"{errors} errors", runs=(run,), **others)


@pytest.mark.parametrize(
    ("left", "kept"),
    [
        (linted(8), True),
        (linted(9), False),
        (linted(0, crashed=True), False),
        (linted(0, codes=frozenset({"LINT_EMPTY"})), False),
        (replace(TESTS, runs=()), False),
    ],
)
def test_a_call_of_a_linter_is_kept_where_fewer_errors_are_left(left: Obstacle, kept: bool) -> None:
    rungs = (rung(Proposal("A", (fix("a"),), lessens=True)), lambda found: [Proposal(found.message, (fix("b"),))])
    bench, accepted = Bench({"a": Trial(left), "b": Trial(None)}), list[str]()
    end = climb(linted(9), rungs, bench, lambda each: accepted.append(each.what) is None, lambda _: None)
    assert (end.settled, accepted) == (True, ["A", "8 errors"] if kept else ["9 errors"])


@pytest.mark.parametrize("notices", [True, False])
def test_a_command_that_broken_tests_do_not_stop_is_none_for_tests(notices: bool) -> None:
    bench = Bench({"a": Trial(None)}, notices=notices)
    end, accepted = run(bench, rung(Proposal("A", (fix("a"),), proves=True)))
    assert (end.settled, accepted) == (notices, ["A"] * notices)
    assert bench.calls == ["a", "code:tests broken with a"]
    assert notices or "every test file is broken" in end.tried[0]


@pytest.mark.parametrize(("seen", "settled"), [(SuiteResult(0, 1), False), (SuiteResult(), True), (None, True)])
def test_where_tests_were_seen_and_none_can_be_broken_no_exit_code_will_do(
    seen: SuiteResult | None, settled: bool
) -> None:
    bench, rungs = Bench({"a": Trial(None)}, notices=None), (rung(Proposal("A", (fix("a"),), proves=True)),)
    end = climb(replace(TESTS, suite=seen), rungs, bench, lambda _: True, lambda _: None)
    assert end.settled is settled
    assert settled or "no test file was found" in end.tried[0]


@pytest.mark.parametrize(
    ("trial", "fault"),
    [
        (Trial(None, total=10, skipped=4), "A: 3 fewer tests run with it"),
        (Trial(None, total=8), "A: 1 fewer test runs with it"),
        (Trial(None, total=10, skipped=1), None),
        (Trial(None, total=12), None),
    ],
)
def test_a_variable_by_which_fewer_tests_run_settles_nothing(trial: Trial, fault: str | None) -> None:
    end, accepted = run(Bench({"a": trial}), rung(Proposal("A", (fix("a"),), accounts=True)))
    assert (end.settled, accepted, end.tried) == (fault is None, [] if fault else ["A"], (fault,) if fault else ())


def test_what_is_left_out_needs_no_run_but_a_yes() -> None:
    drop = rung(Proposal("no tests", (fix("plan"),), drops=True))
    bench = Bench({}, runs=0)
    assert run(bench, drop)[0].settled
    assert not run(bench, drop, wanted=[])[0].settled
    assert bench.calls == []


def test_nothing_is_begun_once_the_time_is_up() -> None:
    bench = Bench({"b": Trial(None)}, runs=1)
    end, _ = run(bench, rung(Proposal("A", (fix("a"),)), Proposal("B", (fix("b"),))))
    assert (end.settled, bench.calls, end.tried[1]) == (False, ["a"], "B: not tried, the time is up")
