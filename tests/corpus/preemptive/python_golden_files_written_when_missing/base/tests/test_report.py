from pathlib import Path

from figures import growth, share, thousands
from report import heading, render

SALES = {"south": (750, 1000), "west": (50, 0), "north": (1200, 1000)}
GOLDEN = Path(__file__).parent / "golden"


def golden(name):
    return (GOLDEN / f"{name}.txt").read_text("utf-8")


def test_year():
    assert render("Sales of 2024", SALES) == golden("year")


def test_nothing_sold():
    assert render("Nothing", {}) == golden("nothing")


def test_heading_is_as_wide_as_its_title():
    assert heading("abcdef", 3) == ["ABCDEF", "======"]


def test_growth_is_a_number():
    assert isinstance(growth(3, 2), float)
    assert growth(3, 0) is None


def test_share_of_nothing():
    assert share(1, 0) == 0


def test_thousands():
    assert thousands(1234567) == "1'234'567"
