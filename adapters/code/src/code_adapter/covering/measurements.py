"""Coverage measurements that can run."""

from __future__ import annotations

from code_adapter.detection import Runnable
from verigate.sdk.reports.coverage import CoverageRun


class Measurement(Runnable[CoverageRun]):
    """A coverage measurement that can run."""

    __slots__ = ()
