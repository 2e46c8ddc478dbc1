"""Examine the engines that a repository's profiles name. No finding prevents a verdict."""

from __future__ import annotations

from collections.abc import Iterable

from verigate.doctor.finding import DoctorFinding, Level
from verigate.domain.engine import CheckLevel, EnvironmentTest

_OPEN = "statements that no fact decides stay open"


def examine_engines(tests: Iterable[EnvironmentTest]) -> Iterable[DoctorFinding]:
    """Report each check of each test. An unavailable engine is a warning: facts decide without it."""
    found = [finding for test in tests for finding in _report_engine(test)]
    message = "no profile names an engine: no model is asked"
    return found or [
        DoctorFinding(
            "engines", Level.INFO, message, "see docs/verifier.md for when to use one", detail=True, absent=True
        )
    ]


def _report_engine(test: EnvironmentTest) -> Iterable[DoctorFinding]:
    name = test.adapter_type.replace("_", "-")
    for check in test.checks:
        level = Level.INFO if check.level is CheckLevel.INFO else Level.WARN
        detail = f" ({check.detail})" if check.detail else ""
        unusable = f"; {_OPEN}" if check.level is CheckLevel.ERROR else ""
        yield DoctorFinding(f"engine.{name}", level, f"{check.message}{detail}{unusable}", check.hint or "")
