"""Linters that can run; a run has findings and examined files."""

from __future__ import annotations

from code_adapter.detection import Runnable
from verigate.sdk.reports.lint import LintRun


class Linter(Runnable[LintRun]):
    """A linter that can run. ``start`` also raises ToolFailed if the linter crashed."""

    __slots__ = ()
