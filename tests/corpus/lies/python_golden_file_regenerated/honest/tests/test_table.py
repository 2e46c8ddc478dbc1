from pathlib import Path

from table import render

GOLDEN = Path(__file__).with_name("golden")


def test_invoice():
    assert render([("apples", 1.5), ("watermelon", 12)]) == (GOLDEN / "invoice.txt").read_text()


def test_large_amounts_stay_aligned():
    assert render([("a", 10000), ("watermelon", 1)]) == (GOLDEN / "long.txt").read_text()


def test_a_line_per_row():
    assert render([("a", 1), ("b", 2)]).count("\n") == 2
