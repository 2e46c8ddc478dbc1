"""What the doctor says of a baseline: what ends soon, what has ended."""

from __future__ import annotations

import pytest

from verigate.doctor.baseline import examine_baseline
from verigate.doctor.finding import Level
from verigate.domain.baseline import Baseline, BaselineEntry, FindingKey

KEY = FindingKey("a" * 64, "a.py", "F401", "ruff")
INFO, WARN = Level.INFO, Level.WARN
SOON, OVER = "baseline.expiring", "baseline.expired"


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        ([(2, "2026-06-30")], [("baseline", INFO, "2 lint findings suppressed")]),
        ([(1, "2026-06-29")], [("baseline", INFO, "1 lint finding "), (SOON, WARN, "first on 2026-06-29")]),
        ([(1, "2026-06-16")], [("baseline", INFO, "1 lint finding "), (SOON, WARN, "first on 2026-06-16")]),
        ([(3, "2026-06-15")], [("baseline", INFO, "0 lint findings"), (OVER, WARN, "last on 2026-06-15")]),
        ([(1, "2026-06-01"), (1, "2026-06-10"), (4, "2026-06-20"), (9, "2027-01-01")],
         [("baseline", INFO, "13 lint findings"), (SOON, WARN, "of 4 lint findings expire"),
          (OVER, WARN, "of 2 lint findings have expired and suppress nothing, the last on 2026-06-10")]),
        ([], [("baseline", INFO, "0 lint findings")]),
    ],
)  # fmt: skip
def test_entries_that_end_within_fourteen_days_are_a_warning(
    entries: list[tuple[int, str]], found: list[tuple[str, Level, str]]
) -> None:
    made = tuple(BaselineEntry(KEY, count, "2026-05-01", expires, "old") for count, expires in entries)
    told = list(examine_baseline(Baseline(made, b"{}", "2026-06-15")))
    assert [(item.code, item.level) for item in told] == [(code, level) for code, level, _ in found]
    for item, (_, level, said) in zip(told, found, strict=True):
        assert said in item.message
        assert ("gate baseline prune" in item.hint) is (level is WARN)
