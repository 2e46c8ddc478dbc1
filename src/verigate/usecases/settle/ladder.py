"""Climb the ladder of offers for one obstacle: each is tried by a run, and the first that settles it ends the climb.

A rung makes proposals from what still stands in the way. Nothing here knows what a proposal changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from msgspec import Struct, field

from verigate.usecases.settle.obstacles import Obstacle, count_lint_errors
from verigate.usecases.suite_fixes import SuiteFix


class Proposal(Struct, frozen=True):
    """Files that might settle an obstacle; ``what`` names them in a report. Without files the same is run again.

    ``keeps``: it is right also where something else is left; ``lessens``: only if linters then report fewer errors.
    ``proves``: it must be shown that tests run. ``drops``: the capability isn't run any more, so that there is nothing
    to try. ``accounts``: no fewer tests may run with it than without.
    """

    what: str
    fixes: tuple[SuiteFix, ...] = ()
    keeps: bool = False
    lessens: bool = False
    proves: bool = False
    drops: bool = False
    accounts: bool = False


Rung = Callable[[Obstacle], Iterable[Proposal]]


class Bench(Protocol):
    """Runs one capability on the present commit in the sandbox; ``trial.CapabilityBench`` does."""

    def try_files(self, capability: str, fixes: Sequence[SuiteFix]) -> Trial:
        """Run it with these files in place of those that are there."""

    def notices_broken_tests(self, capability: str, fixes: Sequence[SuiteFix]) -> bool | None:
        """Whether it fails once every test file is broken; None if there is none."""

    @property
    def is_out_of_time(self) -> bool:
        """Whether no other run may start."""


class Trial(Struct, frozen=True):
    """How a capability ended: what still stands in the way, None if nothing, and how many tests there were.

    ``skipped`` of ``total`` didn't run.
    """

    left: Obstacle | None
    total: int = 0
    skipped: int = 0


class Settlement(Struct, frozen=True):
    """Whether the obstacle is out of the way, what is left, and what was tried in vain, each in a sentence."""

    settled: bool
    left: Obstacle
    tried: tuple[str, ...] = field(default=())


def climb(
    obstacle: Obstacle,
    rungs: Iterable[Rung],
    bench: Bench,
    accept: Callable[[Proposal], bool],
    report: Callable[[str], None],
) -> Settlement:
    """Try the proposals of each rung in order until one that is accepted settles the obstacle.

    ``accept`` shows a proposal that has proven itself, asks, and writes it; ``report`` says what is tried.
    """
    tried: list[str] = []
    for rung in rungs:
        for proposal in rung(obstacle):
            if proposal.drops:
                if accept(proposal):
                    return Settlement(True, obstacle, tuple(tried))
                continue
            if bench.is_out_of_time:
                tried.append(f"{proposal.what}: not tried, the time is up")
                break
            report(f"{obstacle.capability}: {proposal.what}")
            trial = bench.try_files(obstacle.capability, proposal.fixes)
            fault = _find_fault(proposal, trial, obstacle, bench)
            if fault is None:
                if accept(proposal):
                    return Settlement(True, obstacle, tuple(tried))
                tried.append(f"{proposal.what}: it would do, and wasn't wanted")
                continue
            tried.append(f"{proposal.what}: {fault}")
            left = trial.left
            helps = proposal.keeps or (proposal.lessens and left is not None and _is_lessened(obstacle, left))
            if helps and left is not None and proposal.fixes and accept(proposal):
                obstacle = left
                break
    return Settlement(False, obstacle, tuple(tried))


def _is_lessened(before: Obstacle, after: Obstacle) -> bool:
    """Whether linters still look at files, and report fewer errors."""
    old, new = count_lint_errors(before), count_lint_errors(after)
    return old is not None and new is not None and new < old


def _find_fault(proposal: Proposal, trial: Trial, obstacle: Obstacle, bench: Bench) -> str | None:
    """Say why a trial settles nothing; None if it does."""
    if trial.left is not None:
        return trial.left.message
    before = obstacle.suite
    fewer = before.total - before.skipped - (trial.total - trial.skipped) if before is not None else 0
    if proposal.accounts and fewer > 0:
        return f"{fewer} fewer test{'s run' if fewer > 1 else ' runs'} with it"
    if not proposal.proves:
        return None
    noticed = bench.notices_broken_tests(obstacle.capability, proposal.fixes)
    if noticed is None and before is not None and before.total:
        return "no test file was found that could be broken, to see whether it runs the tests"
    if noticed is False:
        return "it ends well also where every test file is broken, so it runs none of them"
    return None  # where nobody saw a test and nothing can be broken, the exit code has to do
