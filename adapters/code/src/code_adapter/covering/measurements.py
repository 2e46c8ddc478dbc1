"""What the modules of this package give and take."""

from __future__ import annotations

from code_adapter.found import Able
from verigate.sdk.reports.coverage import CoverageRun


class Measurement(Able[CoverageRun]):
    """Tests that can be measured, and how."""

    __slots__ = ()
