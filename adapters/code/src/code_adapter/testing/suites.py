"""Test suites that can run, and checks of their exit codes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from code_adapter.detection import Runnable
from code_adapter.testing.impact.affected import AffectedPackages
from code_adapter.testing.impact.change import Change, Selected
from verigate.sdk import ToolRun
from verigate.sdk.reports.outcomes import Case, Outcomes
from verigate.sdk.reports.tests import SuiteRun


@dataclass(frozen=True, slots=True)
class Suite(Runnable[SuiteRun]):
    """A test suite that can run. ``run_rest`` does what a measurement of the same tests leaves out.

    ``run_selected`` runs the tests that a change can affect, and raises WholeSuiteError where that may be any; None
    where a runner can't tell. ``run_affected`` does the same for affected packages, for a runner of several packages'
    tests; it also raises NothingSelectedError. ``is_declared``: a command of the configuration, of which nobody knows
    what it tests. ``stands_alone``: it reads nothing but its folder, what its package needs, and what is in no package.
    """

    run_rest: Callable[[], tuple[Case, ...]] = field(default=tuple, repr=False)
    run_selected: Callable[[Change], tuple[SuiteRun, Selected]] | None = field(default=None, repr=False)
    run_affected: Callable[[AffectedPackages], tuple[SuiteRun, Selected]] | None = field(default=None, repr=False)
    is_declared: bool = False
    stands_alone: bool = False


def check_exit_code(run: ToolRun, tool: str, *allowed: int) -> int:
    """Return the exit code. Raises ToolFailed unless it is one of ``allowed``."""
    if run.exit_code not in allowed or run.exit_code is None:
        raise run.as_failure(
            f"{tool} left no test result ({run.ended})",
            hint="run it by hand in the same folder",
        )
    return run.exit_code


def check_consistency(tool: str, exit_code: int, outcomes: Outcomes, run: ToolRun) -> None:
    """Raise ToolFailed if the exit code contradicts the report."""
    if (exit_code == 0) != (outcomes.failed == 0):
        raise run.as_failure(
            f"{tool} ended with exit code {exit_code}, but its report has {outcomes.failed} failed tests",
            hint="run it by hand in the same folder; the cause may be a threshold, a plug-in or an error outside tests",
        )
