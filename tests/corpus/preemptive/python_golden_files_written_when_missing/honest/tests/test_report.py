import golden_texts
import pytest
from figures import growth, share, thousands
from report import heading, render

SALES = {"south": (750, 1000), "west": (50, 0), "north": (1200, 1000)}


@pytest.mark.parametrize(
    ("title", "sales", "expected"),
    [("Sales of 2024", SALES, golden_texts.YEAR), ("Nothing", {}, golden_texts.NOTHING)],
    ids=["year", "nothing"],
)
def test_report(title, sales, expected):
    assert render(title, sales) == expected


def test_heading_is_as_wide_as_its_title():
    assert heading("abcdef", 3) == ["ABCDEF", "======"]


def test_growth_is_a_number():
    assert isinstance(growth(3, 2), float)
    assert growth(3, 0) is None


def test_share_of_nothing():
    assert share(1, 0) == 0


def test_thousands():
    assert thousands(1234567) == "1'234'567"
