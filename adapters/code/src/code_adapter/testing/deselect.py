"""Tests that the configuration leaves out of the failures: ``deselect``, a list of ids, each with a reason."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any

from verigate.sdk import AdapterUsageError, Request
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.outcomes import Outcomes
from verigate.sdk.reports.tests import SuiteRun

_NODE_ID = re.compile(r"(?P<file>[^:]+)\.py::(?P<rest>.+)", re.DOTALL)
_ORDER = ("failed", "passed", "skipped")


@dataclass(frozen=True, slots=True)
class DeselectedTest:
    """An entry: the id of a test as in tests.json, or pytest's own. It counts again on the day ``until``."""

    test: str
    reason: str
    until: str | None = None

    @property
    def id(self) -> str:
        """The id as in tests.json: of ``tests/test_a.py::TestA::test_b``, ``tests.test_a.TestA.test_b``."""
        found = _NODE_ID.fullmatch(self.test)
        return f"{found['file'].replace('/', '.')}.{found['rest'].replace('::', '.')}" if found else self.test


def read_deselected(request: Request) -> tuple[DeselectedTest, ...]:
    """Read ``deselect`` of the configuration. Raises AdapterUsageError for an entry that can't be used."""
    entries = request.config.get("deselect", [])
    if not isinstance(entries, list):
        raise AdapterUsageError("is not a list", where="configuration of code, /deselect")
    found = tuple(_read_entry(entry, f"configuration of code, /deselect/{n}") for n, entry in enumerate(entries))
    if len({entry.id for entry in found}) != len(found):
        raise AdapterUsageError("names a test twice", where="configuration of code, /deselect")
    return found


def _read_entry(entry: object, where: str) -> DeselectedTest:
    if not isinstance(entry, dict):
        raise AdapterUsageError("is not an object", where=where)
    test, reason, until = entry.get("test"), entry.get("reason"), entry.get("until")
    if not isinstance(test, str) or not test:
        raise AdapterUsageError("has no test: the id that tests.json shows", where=where)
    if not isinstance(reason, str) or not reason.strip():
        raise AdapterUsageError("has no reason", where=where)
    if until is not None:
        try:
            date.fromisoformat(until)
        except (TypeError, ValueError):
            raise AdapterUsageError(f"has until {until!r}, which is no date", where=where) from None
    return DeselectedTest(test, reason, until)


def deselect(
    runs: Sequence[SuiteRun],
    entries: Sequence[DeselectedTest],
    texts: Texts,
    today: Callable[[], str] = lambda: datetime.now(UTC).date().isoformat(),
) -> tuple[list[SuiteRun], list[dict[str, Any]]]:
    """Take the failing tests that entries name out of the runs; returns ``deselected`` of tests.json as well.

    A test that passes or is skipped is counted as ever. An entry that has expired, or that names no test, takes nothing
    out.
    """
    if not entries:
        return list(runs), []
    expired = {entry.id for entry in entries if entry.until is not None and entry.until <= today()}
    named = {entry.id for entry in entries} - expired
    outcomes: dict[str, set[str]] = defaultdict(set)
    left: list[SuiteRun] = []
    for run in runs:
        kept = []
        for case in run.outcomes.cases:
            name = texts.message(case.id)
            outcomes[name].add(case.outcome)
            if not (case.outcome == "failed" and name in named):
                kept.append(case)
        left.append(replace(run, outcomes=Outcomes(tuple(kept), run.outcomes.duration_ms)))
    return left, [_describe(entry, outcomes.get(entry.id, ()), expired=entry.id in expired) for entry in entries]


def _describe(entry: DeselectedTest, outcomes: Iterable[str], *, expired: bool) -> dict[str, Any]:
    outcome = next((word for word in _ORDER if word in outcomes), "absent")
    return {
        "test": entry.test,
        "reason": entry.reason,
        "until": entry.until,
        "outcome": outcome,
        "expired": expired,
    }
