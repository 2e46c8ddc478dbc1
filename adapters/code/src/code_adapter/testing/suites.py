"""What the modules of this package give and take."""

from __future__ import annotations

from code_adapter.found import Able
from verigate.sdk import ToolFailed, ToolRun
from verigate.sdk.reports.outcomes import Outcomes
from verigate.sdk.reports.tests import SuiteRun


class Suite(Able[SuiteRun]):
    """Tests that were found, and how to run them."""

    __slots__ = ()


def ended_as(run: ToolRun, tool: str, *allowed: int) -> int:
    """The exit code. Raises ToolFailed unless it is one of ``allowed``."""
    if run.exit_code not in allowed or run.exit_code is None:
        raise ToolFailed(
            f"{tool} ended with {run.ended}, which is no answer about the tests:\n{run.tail()}",
            hint="run it by hand in the same folder",
        )
    return run.exit_code


def consistent(tool: str, exit_code: int, outcomes: Outcomes, run: ToolRun) -> None:
    """Raise ToolFailed if the exit code says one thing and the report another."""
    if (exit_code == 0) != (outcomes.failed == 0):
        raise ToolFailed(
            f"{tool} ended with exit code {exit_code}, but its report has {outcomes.failed} failed tests:\n"
            f"{run.tail()}",
            hint="a threshold, a plug-in or an error outside the tests? run it by hand in the same folder",
        )
