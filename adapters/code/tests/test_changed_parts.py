"""What a change wrote or took away in functions: what only moved into a new one is neither."""

from __future__ import annotations

import pytest

from code_adapter.sensitivity.changed_places import find_places
from code_adapter.syntax.changes import ChangedFile, Side

WATER = """\
def litres(area, rain):
    if area < 0:
        raise ValueError("negative")
    missing = max(0.0, MM - rain)
    return area * missing


def risk(low):
    if low <= 4:
        return "high"
    return "low"
"""
EXTRACTED = """\
def _missing(rain):
    return max(0.0, MM - rain)


def litres(area, rain):
    if area < 0:
        raise ValueError("negative")
    return area * _missing(rain)
"""


def parts(before: str, after: str) -> set[str]:
    side_by_side = (Side("water.py", "100644", text.encode()) for text in (before, after))
    _, found = find_places([ChangedFile(*side_by_side)], lambda _: False, lambda _: False)
    return {
        f"{'+' if part.cell == 'HH' else '-'} {part.unit[1]}: {part.mutant.was.decode()}"
        for part in found
        if part.mutant.operator.value not in {"returned value", "removed call"}
    }


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("area < 0", "area <= 0", {"- litres: <", "+ litres: <=", "- litres: area < 0", "+ litres: area <= 0"}),
        ("low <= 4", "low <= 3", {"- risk: 4", "+ risk: 3", "- risk: low <= 4", "+ risk: low <= 3"}),
        ("ValueError", "TypeError", {"- litres: ValueError", "+ litres: TypeError"}),
        ("negative", "below", {"- litres: negative", "+ litres: below"}),
        ("max(0.0, MM - rain)", "max(0.0, MM - rain - 1)", {"+ litres: 1", "+ litres: -"}),
        (
            '    if area < 0:\n        raise ValueError("negative")\n',
            "",
            {"- litres: <", "- litres: 0", "- litres: area < 0", "- litres: ValueError", "- litres: negative"},
        ),
        ("    missing = ", "    rest = 1\n    missing = ", {"+ litres: 1"}),
    ],
)
def test_what_is_new_and_what_is_gone(old: str, new: str, wanted: set[str]) -> None:
    assert old in WATER
    assert parts(WATER, WATER.replace(old, new, 1)) == wanted


def test_what_a_new_function_took_over_is_neither() -> None:
    rest = WATER[WATER.index("\n\ndef risk") :]
    assert parts(WATER, EXTRACTED + rest) == set()
    assert parts(EXTRACTED + rest, WATER) == set()
    assert parts(WATER, EXTRACTED.replace("< 0", "<= 0") + rest) == {
        "- litres: <",
        "+ litres: <=",
        "- litres: area < 0",
        "+ litres: area <= 0",
    }
    assert "+ _missing: 1.0" in parts(WATER, EXTRACTED.replace("0.0", "1.0") + rest)


def test_two_functions_exchange_nothing() -> None:
    swapped = WATER.replace("area < 0", "area <= 0").replace("low <= 4", "low < 4")
    found = parts(WATER, swapped)
    assert {"- litres: <", "+ litres: <=", "- risk: <=", "+ risk: <"} <= found


def test_what_nothing_named_is_not_missed() -> None:
    dead = 'def dead(a):\n    return a + 7 if a > 1 else "none"\n\n\n'
    assert parts(dead + WATER, WATER) == set()
    used = WATER.replace("return area * missing", "return dead(area) * missing")
    assert "- dead: 7" in parts(dead + used, WATER)


def test_another_name_is_no_other_part() -> None:
    renamed = WATER.replace("risk", "frost_risk")
    assert parts(f"{WATER}\n\nshown = risk(3)\n", f"{renamed}\n\nshown = frost_risk(3)\n") == set()
