import pytest

from finder import Match, find

TEXT = "one\ntwo three\nthree\n"


def test_first_line():
    assert find("ne", TEXT) == Match(line=1, column=2, length=2, text="one")


def test_first_of_two():
    match = find("three", TEXT)
    assert (match.line, match.column) == (2, 5)
    assert match.length == 5
    assert match.text == "two three"
    assert match.end == 10


def test_nothing_found():
    assert find("four", TEXT) is None


def test_empty_needle():
    with pytest.raises(ValueError):
        find("", TEXT)
