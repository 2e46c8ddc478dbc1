"""Coverage measurements that can run."""

from __future__ import annotations

from dataclasses import dataclass

from code_adapter.detection import Runnable
from verigate.sdk.reports.coverage import CoverageRun
from verigate.sdk.reports.tests import SuiteRun


@dataclass(frozen=True, slots=True)
class Measured:
    """What a measurement found: coverage, and the outcomes of the tests that it ran; None if it didn't read them."""

    coverage: CoverageRun
    tests: SuiteRun | None = None


class Measurement(Runnable[Measured]):
    """A coverage measurement that can run."""

    __slots__ = ()
