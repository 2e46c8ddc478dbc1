"""Compare the repository's suite inside and outside, and prove what would help.

Outside, the project's own code runs with the user's rights: only after ``agree`` has said yes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from verigate.domain.grants import Grant, GrantKind
from verigate.domain.known_failures import FailureKey
from verigate.domain.suite_comparison import (
    Candidate,
    Remedy,
    SuiteExamination,
    SuiteResult,
    Unhelped,
    split_failures,
)
from verigate.processes.environment import is_secret_name
from verigate.usecases.failure_causes import Causes, Machine, find_causes
from verigate.usecases.suite_bench import TracedResult

_PROOF_S = 600.0
"""About how long all proofs may take, in seconds."""

SUITE = FailureKey("(the whole suite)", "")
"""Stands for all tests where the runner left no report."""


class Bench(Protocol):
    """Runs the suite; ``suite_bench.SuiteBench`` does."""

    @property
    def can_trace(self) -> bool:
        """Whether there is a tracer."""

    def run_inside(self, grants: Sequence[Grant] = (), only: Sequence[FailureKey] = ()) -> SuiteResult:
        """Run it in the sandbox; ``only`` these tests, where the runner can select them."""

    def run_traced(self, only: Sequence[FailureKey] = ()) -> TracedResult:
        """Run it in the sandbox under the tracer."""

    def run_outside(self) -> SuiteResult:
        """Run it with the user's rights."""


class _Trial(Struct, frozen=True):
    """The failing tests; ``total`` counts those of the whole suite, ``only`` are those that run, empty for all."""

    failing: frozenset[FailureKey]
    total: int
    only: tuple[FailureKey, ...]


def compare_suites(
    bench: Bench,
    agree: Callable[[SuiteResult], bool],
    make_machine: Callable[[str], Machine],
    report: Callable[[str], None],
    known: frozenset[FailureKey] = frozenset(),
) -> SuiteExamination:
    """Compare, find causes, and try what might help.

    ``agree`` is asked once, with the result inside, before anything runs outside. ``make_machine`` describes the
    machine for a private home; ``report`` says what is being done. Tests in ``known`` are left out of all lists. Raises
    GateError where the suite can't run at all.
    """
    report("the suite inside the sandbox")
    inside, number = _drop_known(bench.run_inside(), known)
    if (inside.problem is None and not inside.failing) or not agree(inside):
        return SuiteExamination(inside, known=number)
    report("the suite outside")
    outside, _ = _drop_known(bench.run_outside(), known)
    both, ours, theirs = split_failures(inside, outside)
    if inside.problem is not None and outside.problem is None:
        ours = (SUITE,)
    found = SuiteExamination(inside, outside, both, theirs, known=number)
    if not ours or outside.problem is not None:
        return found
    return _explain(found, ours, bench, make_machine, report)


def _drop_known(result: SuiteResult, known: frozenset[FailureKey]) -> tuple[SuiteResult, int]:
    left = {key: message for key, message in result.failing.items() if key not in known}
    return replace(result, failing=left), len(result.failing) - len(left)


def _explain(
    found: SuiteExamination,
    ours: tuple[FailureKey, ...],
    bench: Bench,
    make_machine: Callable[[str], Machine],
    report: Callable[[str], None],
) -> SuiteExamination:
    if not bench.can_trace:
        return replace(found, unhelped=tuple(Unhelped(key, "strace is missing, so no cause is known") for key in ours))
    report("the failing tests inside, traced")
    only = ours if SUITE not in ours else ()
    traced = bench.run_traced(only)
    if only and not set(only) <= set(traced.result.failing):
        # Alone they don't fail, or the runner knows them by other names: what matters is the whole suite.
        report("the suite inside, traced")
        only = ()
        traced = bench.run_traced()
    # A run that ended without a report, e.g. because the tracer slows it down, says nothing about single tests.
    still = frozenset(ours) if traced.result.problem is not None else frozenset(traced.result.failing)
    flaky = tuple(key for key in ours if key not in still)
    stable = tuple(key for key in ours if key in still)
    if not stable:
        return replace(found, flaky=flaky)
    messages = [traced.result.problem or "", *(found.inside.failing.get(key, "") for key in stable)]
    causes = find_causes(traced.trace, messages, make_machine(traced.private_home))
    tried = causes.candidates[: _count_affordable(found.inside.seconds)]
    remedies = _prove(tried, _Trial(frozenset(stable), found.inside.total, only), bench, report)
    helped = {key for remedy in remedies for key in remedy.tests}
    granted = {remedy.grant for remedy in remedies}
    vain = [candidate for candidate in tried if candidate.grant not in granted]
    unhelped = tuple(
        Unhelped(key, _describe(key, found.inside, causes, vain))
        for key in stable
        if key not in helped and key != SUITE
    )
    suite = _describe(SUITE, found.inside, causes, vain) if SUITE in stable and SUITE not in helped else None
    return replace(found, flaky=flaky, remedies=remedies, unhelped=unhelped, suite_cause=suite)


def _count_affordable(seconds: float) -> int:
    """Return how many candidates can be tried, each of which may cost a run of this many seconds."""
    return max(1, int(_PROOF_S // max(seconds, 1.0)) - 1)


def _list_failing(result: SuiteResult) -> frozenset[FailureKey]:
    return frozenset({SUITE}) if result.problem is not None else frozenset(result.failing)


def _prove(
    candidates: Sequence[Candidate], trial: _Trial, bench: Bench, report: Callable[[str], None]
) -> tuple[Remedy, ...]:
    """Run the failing tests with all grants; then leave each out in turn. What isn't missed isn't needed."""

    def fix(chosen: Sequence[Candidate]) -> frozenset[FailureKey]:
        names = ", ".join(f"{each.grant.kind} {each.grant.what}" for each in chosen)
        report(f"{'the failing tests' if trial.only else 'the suite'} inside, with {names}")
        result = bench.run_inside([each.grant for each in chosen], trial.only)
        # A run without a report fixes nothing, and neither does one of fewer tests than were asked for.
        complete = result.problem is None and (result.total == len(trial.only) or result.total >= trial.total)
        return trial.failing - frozenset(result.failing) if complete else frozenset()

    if not candidates:
        return ()
    fixed = fix(candidates)
    if not fixed:
        return ()
    kept, missed = list(candidates), dict[Candidate, frozenset[FailureKey]]()
    for candidate in reversed(candidates):
        rest = [each for each in kept if each is not candidate]
        lost = fixed - fix(rest) if rest else fixed
        if lost:
            missed[candidate] = lost
        else:
            kept = rest
    order = [candidate for candidate in candidates if candidate in missed]
    return tuple(
        Remedy(
            candidate.grant,
            candidate.cause,
            tuple(sorted(missed[candidate], key=lambda key: key.place)),
            by_hand=candidate.grant.kind is GrantKind.ENV and is_secret_name(candidate.grant.what),
        )
        for candidate in order
    )


_INSTALLS = re.compile(
    r"\b(?:npm|pnpm|yarn|bun|pip3?|uv|cargo|go)(?: -\S+)* (?:install|ci|add|get|fetch|sync|download)\b"
)
"""Commands of package managers, as messages quote them. A long trace can end before they fail."""


def _describe(key: FailureKey, inside: SuiteResult, causes: Causes, vain: Sequence[Candidate]) -> str:
    """Describe why a test fails inside; ``vain`` are the candidates that were granted without effect."""
    message = inside.problem if key == SUITE else inside.failing.get(key, "")
    first = next((line.strip() for line in (message or "").splitlines() if line.strip()), "")
    if causes.others:
        shown = "; ".join(causes.others[:3])
        return f"{shown} ({first[:200]})" if first else shown
    if vain:
        shown = "; ".join(candidate.cause for candidate in vain[:2])
        return f"{shown}; it also fails with that granted{f': {first[:200]}' if first else ''}"
    if installs := _INSTALLS.search(message or ""):
        return f"it downloads packages, which needs the network: {installs[0]}"
    return f"no cause was found in the trace: {first[:300]}" if first else "no cause was found in the trace"
