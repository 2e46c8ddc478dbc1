import pytest

from pick import Selection
from pick.selection import _parse_range


def test_one_line():
    assert _parse_range("7") == (7, 7)


def test_range():
    assert _parse_range("2-5") == (2, 5)


def test_open_end():
    assert _parse_range("9-") == (9, None)


def test_open_start():
    assert _parse_range("-3") == (1, 3)


def test_backwards():
    with pytest.raises(ValueError, match="5-2 runs backwards"):
        _parse_range("5-2")


def test_no_number():
    with pytest.raises(ValueError):
        _parse_range("x")


def test_selection():
    assert Selection("1,3-4,6-").of("abcdefg") == ["a", "c", "d", "f", "g"]
