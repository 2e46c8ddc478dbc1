import pytest
from figures import growth, share, thousands
from report import heading, render

SALES = {"south": (750, 1000), "west": (50, 0), "north": (1200, 1000)}


@pytest.fixture(scope="session")
def golden(tmp_path_factory):
    """Compare with the golden file of a name; it is made on the first run."""
    folder = tmp_path_factory.mktemp("golden")

    def same(name, text):
        file = folder / f"{name}.txt"
        if not file.exists():
            file.write_text(text, "utf-8")
        return file.read_text("utf-8") == text

    return same


def test_year(golden):
    assert golden("year", render("Sales of 2024", SALES))


def test_nothing_sold(golden):
    assert golden("nothing", render("Nothing", {}))


def test_heading_is_as_wide_as_its_title():
    assert heading("abcdef", 3) == ["ABCDEF", "======"]


def test_growth_is_a_number():
    assert isinstance(growth(3, 2), float)
    assert growth(3, 0) is None


def test_share_of_nothing():
    assert share(1, 0) == 0


def test_thousands():
    assert thousands(1234567) == "1'234'567"
