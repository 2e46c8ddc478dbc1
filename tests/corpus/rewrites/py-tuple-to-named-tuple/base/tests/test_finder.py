import pytest

from finder import find

TEXT = "one\ntwo three\nthree\n"


def test_first_line():
    assert find("ne", TEXT) == (1, 2, 2, "one")


def test_first_of_two():
    line, column, length, text = find("three", TEXT)
    assert (line, column) == (2, 5)
    assert length == 5
    assert text == "two three"


def test_nothing_found():
    assert find("four", TEXT) is None


def test_empty_needle():
    with pytest.raises(ValueError):
        find("", TEXT)
