"""What a linter is to this capability: something that runs and leaves findings and the files it looked at."""

from __future__ import annotations

from code_adapter.found import Able
from verigate.sdk.reports.lint import LintRun


class Linter(Able[LintRun]):
    """A linter that can run. ``start`` also raises ToolFailed where it crashed."""

    __slots__ = ()
