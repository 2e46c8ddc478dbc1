import pytest

from pick import Selection

LINES = "abcdefghijkl"


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("7", "g"),
        ("2-5", "bcde"),
        ("9-", "ijkl"),
        ("-3", "abc"),
        ("1,3-4,6-", "acdfghijkl"),
        ("3,1-4", "abcd"),
    ],
)
def test_selection(text, chosen):
    assert Selection(text).of(LINES) == list(chosen)


def test_contains():
    assert 1000 in Selection("9-")
    assert 8 not in Selection("9-")


def test_backwards():
    with pytest.raises(ValueError, match="5-2 runs backwards"):
        Selection("1,5-2")


@pytest.mark.parametrize("text", ["x", "", "1,"])
def test_no_number(text):
    with pytest.raises(ValueError):
        Selection(text)
