import pytest

from pages import Pages


def test_first_page():
    assert Pages(range(25)).page(1) == list(range(10))


def test_last_page():
    assert Pages(range(25)).page(3) == [20, 21, 22, 23, 24]


def test_count():
    assert Pages(range(25)).count == 3
    assert Pages(range(20)).count == 3  # XXX shouldn't this be 2?
    assert Pages([]).count == 1


def test_no_such_page():
    with pytest.raises(IndexError):
        Pages(range(25)).page(4)
    with pytest.raises(IndexError):
        Pages(range(25)).page(0)
