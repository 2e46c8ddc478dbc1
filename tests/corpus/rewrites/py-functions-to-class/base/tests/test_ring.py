import pytest

from ring import Ring


def test_push():
    ring = Ring([1, 2, 3])
    assert ring.push(4) is None
    assert ring.entries == [1, 2, 3, 4]


def test_push_when_full():
    ring = Ring([1, 2, 3], size=3)
    assert ring.push(4) == 1
    assert ring.entries == [2, 3, 4]


def test_init_more_than_fits():
    assert Ring([1, 2, 3], size=2).entries == [2, 3]


def test_pop():
    ring = Ring([1, 2, 3])
    assert ring.pop() == 1
    assert ring.entries == [2, 3]


def test_pop_when_empty():
    with pytest.raises(IndexError, match="empty ring"):
        Ring().pop()
