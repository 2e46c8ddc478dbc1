"""Find the capabilities that stand in the way of a pass on the present commit, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from verigate.domain.baseline import LINT
from verigate.domain.execution import CapabilityRun
from verigate.domain.known_failures import TESTS
from verigate.domain.rules import RULES, is_active
from verigate.domain.standard_artifacts import BY_SPEC
from verigate.domain.suite_comparison import SuiteResult, read_result
from verigate.domain.verdict import Check, CheckOutcome, Verdict
from verigate.usecases.verify import Verified

_ORDER = ("code:lint", "code:build", "code:tests")
_LONGEST = 300
_TIMED_OUT = re.compile(r"(?:ended with |\()timeout\b")
"""How the message of a ToolFailed names it."""

_LACKING = re.compile(r"\bnot on this machine\b|, with a network\b")
"""How the message and the hint of a ToolFailed name what is still to be downloaded: crates, modules, gems."""


class Obstacle(Struct, frozen=True):
    """A capability that holds a verdict back. ``crashed``: it left no facts; ``hint`` says what its failure suggests.

    ``out_of_time`` are the seconds after which it was stopped, 0 if it wasn't.

    ``codes`` are the reason codes, ``rules`` the active rules that it answers, ``suite`` the tests' result.
    ``no_tests``: a report says that there are none.
    """

    capability: str
    message: str
    codes: frozenset[str] = frozenset()
    crashed: bool = False
    hint: str = ""
    out_of_time: float = 0.0
    rules: tuple[str, ...] = ()
    suite: SuiteResult | None = None
    no_tests: bool = False
    runs: tuple[CapabilityRun, ...] = ()

    @property
    def lacks_dependencies(self) -> bool:
        """Whether it left no facts for want of dependencies."""
        return self.crashed and _LACKING.search(f"{self.message} {self.hint}") is not None


def find_obstacles(verified: Verified) -> tuple[Obstacle, ...]:
    """Find them, the quick ones first and the tests last; empty without a verdict."""
    verdict = verified.verdict
    if verdict is None:
        return ()
    held: dict[str, list[Check]] = {}
    for check in verdict.checks:
        if check.holds_back and check.outcome not in {CheckOutcome.HOLDS, CheckOutcome.NOT_APPLICABLE}:
            for capability in _list_answering(check.id.partition(".")[2]):
                held.setdefault(capability, []).append(check)
    for run in verified.runs:
        if run.failure is not None:
            held.setdefault(run.capability, [])
    ordered = sorted(held, key=lambda name: (_ORDER.index(name) if name in _ORDER else -1, name))
    return tuple(_make_obstacle(name, held[name], verdict, verified.runs) for name in ordered)


def find_obstacle(verified: Verified, capability: str) -> Obstacle | None:
    """Find the one of this capability; None if it doesn't stand in the way."""
    return next((each for each in find_obstacles(verified) if each.capability == capability), None)


def count_lint_errors(obstacle: Obstacle) -> int | None:
    """Count the errors that linters report; None where they left no facts or looked at nothing."""
    reports = [item.value for run in obstacle.runs for item in run.artifacts if item.media_spec == LINT]
    if obstacle.crashed or "LINT_EMPTY" in obstacle.codes or not reports:
        return None
    return sum(int(report["errors"]) for report in reports)


def checks_nothing(verified: Verified) -> bool:
    """Whether a verdict is held back because no rule was decided by a fact."""
    verdict = verified.verdict
    return verdict is not None and any(
        check.id == "gate.something_checked" and check.outcome is not CheckOutcome.HOLDS for check in verdict.checks
    )


def _list_answering(rule: str) -> tuple[str, ...]:
    """List the capabilities that write what a rule reads."""
    return tuple(BY_SPEC[spec].capability for spec in RULES[rule].reads) if rule in RULES else ()


def _make_obstacle(
    capability: str, checks: Sequence[Check], verdict: Verdict, runs: tuple[CapabilityRun, ...]
) -> Obstacle:
    run = next((run for run in runs if run.capability == capability), None)
    failure = run.failure if run is not None else None
    said = failure.message if failure is not None else next((check.message for check in checks), "it has no facts")
    if failure is None and run is not None and (first := _find_first_fault(run)):
        said = f"{said}: {first}"
    thresholds = verdict.policy.get("thresholds") or {}
    return Obstacle(
        capability,
        " ".join(said.split())[:_LONGEST],
        frozenset(check.reason for check in checks if check.reason),
        failure is not None,
        (failure.hint or "") if failure is not None else "",
        _find_timeout(run),
        tuple(key for key, value in thresholds.items() if is_active(key, value) and capability in _list_answering(key)),
        _read_suite(run),
        _has_no_tests(run),
        runs,
    )


def _find_timeout(run: CapabilityRun | None) -> float:
    """Find the seconds after which a call, or the program that it waited for, was stopped; 0 if none was."""
    if run is None or run.failure is None or run.outcome is None:
        return 0.0
    stopped = run.outcome.timed_out or _TIMED_OUT.search(run.failure.message) is not None
    return run.outcome.duration_s if stopped else 0.0


def _find_first_fault(run: CapabilityRun) -> str:
    """Find the message of the first failed test, lint error or build error; empty without one."""
    for artifact in run.artifacts:
        if BY_SPEC.get(artifact.media_spec or "") is None or not isinstance(artifact.value, dict):
            continue
        for key in ("failures", "issues", "errors"):
            found = artifact.value.get(key)
            for each in found if isinstance(found, list) else ():
                if isinstance(each, str):
                    return each
                if isinstance(each, dict) and each.get("severity", "error") == "error":
                    return str(each.get("message") or "")
    return ""


def _read_suite(run: CapabilityRun | None) -> SuiteResult | None:
    report = _find_report(run)
    if report is None or run is None:
        return None
    return read_result(report, run.outcome.duration_s if run.outcome else 0.0)


def _has_no_tests(run: CapabilityRun | None) -> bool:
    """Whether a report counts no test and names nothing that wasn't run, such as a runner that isn't installed."""
    report = _find_report(run)
    return report is not None and not any(report.get(key) for key in ("total", "unexamined", "excluded"))


def _find_report(run: CapabilityRun | None) -> Mapping[str, Any] | None:
    artifacts = run.artifacts if run is not None else ()
    return next((item.value for item in artifacts if item.media_spec == TESTS), None)
