"""The engines that a repository's profiles name, as the doctor tells of them. None keeps a verdict from being given."""

from __future__ import annotations

from collections.abc import Iterable

from verigate.doctor.finding import DoctorFinding, Level
from verigate.domain.engine import CheckLevel, EnvironmentTest

_OPEN = "what no fact decides stays open"


def examine_engines(tests: Iterable[EnvironmentTest]) -> Iterable[DoctorFinding]:
    """Each check of each test. An engine that can't be asked is a warning: facts decide without it."""
    found = [finding for test in tests for finding in _report_engine(test)]
    message = "no profile names an engine: no model is asked"
    return found or [DoctorFinding("engines", Level.INFO, message, "docs/verifier.md says when one is of use")]


def _report_engine(test: EnvironmentTest) -> Iterable[DoctorFinding]:
    name = test.adapter_type.replace("_", "-")
    for check in test.checks:
        level = Level.INFO if check.level is CheckLevel.INFO else Level.WARN
        detail = f" ({check.detail})" if check.detail else ""
        unusable = f"; {_OPEN}" if check.level is CheckLevel.ERROR else ""
        yield DoctorFinding(f"engine.{name}", level, f"{check.message}{detail}{unusable}", check.hint or "")
