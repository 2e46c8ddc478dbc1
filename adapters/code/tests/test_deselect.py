"""``deselect``: which failing tests are taken out of the counts, and what is reported of the entries."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from code_adapter.testing.deselect import DeselectedTest, deselect, read_deselected
from verigate.sdk import AdapterUsageError, Request
from verigate.sdk.normalised_texts import Texts
from verigate.sdk.reports.outcomes import Case, Outcomes
from verigate.sdk.reports.tests import SuiteRun
from verigate.sdk.reports.tests import tests_summary as summarise

TEXTS = Texts(Path("/srv/shop"))
TODAY = "2026-06-15"


def suite(*cases: Case) -> SuiteRun:
    return SuiteRun("pytest", "8", "", Outcomes(cases), ("pytest",), 1)


CASES = (
    Case("tests.test_a.test_one", "failed", "tests/test_a.py"),
    Case("tests.test_a.test_two", "failed", "tests/test_a.py"),
    Case("tests.test_a.test_three", "passed", "tests/test_a.py"),
)


def left(*entries: DeselectedTest) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    runs, listed = deselect([suite(*CASES)], entries, TEXTS, lambda: TODAY)
    return summarise(runs, TEXTS), listed


@pytest.mark.parametrize(
    ("entry", "failed", "total", "outcome", "expired"),
    [
        (DeselectedTest("tests.test_a.test_one", "r"), 1, 2, "failed", False),
        (DeselectedTest("tests/test_a.py::test_one", "r"), 1, 2, "failed", False),
        (DeselectedTest("tests.test_a.test_one", "r", "2026-06-16"), 1, 2, "failed", False),
        (DeselectedTest("tests.test_a.test_one", "r", TODAY), 2, 3, "failed", True),
        (DeselectedTest("tests.test_a.test_three", "r"), 2, 3, "passed", False),
        (DeselectedTest("tests.test_a.*", "r"), 2, 3, "absent", False),
        (DeselectedTest("tests.test_a.test_on", "r"), 2, 3, "absent", False),
    ],
)
def test_a_failing_test_that_is_named_is_in_no_count(
    entry: DeselectedTest, failed: int, total: int, outcome: str, expired: bool
) -> None:
    summary, listed = left(entry)
    assert (summary["failed"], summary["total"], len(summary["failures"])) == (failed, total, failed)
    shown = {"test": entry.test, "reason": "r", "until": entry.until, "outcome": outcome, "expired": expired}
    assert listed == [shown]


def test_without_entries_nothing_is_listed() -> None:
    assert left()[1] == []


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ("x", "is not a list"),
        (["x"], "is not an object"),
        ([{"test": "x"}], "has no reason"),
        ([{"test": "x", "reason": " "}], "has no reason"),
        ([{"reason": "r"}], "has no test"),
        ([{"test": "x", "reason": "r", "until": "2026-13-01"}], "which is no date"),
        ([{"test": "a/b.py::c", "reason": "r"}, {"test": "a.b.c", "reason": "r"}], "names a test twice"),
    ],
)
def test_entries_that_cant_be_used_are_refused(entries: Any, says: str) -> None:
    request = cast("Request", SimpleNamespace(config={"deselect": entries}))
    with pytest.raises(AdapterUsageError, match=says):
        read_deselected(request)
