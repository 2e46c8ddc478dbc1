import pytest

from interval import Interval


def test_init_backwards():
    with pytest.raises(ValueError, match="3 > 2"):
        Interval(3, 2)


def test_equal():
    assert Interval(1, 2) == Interval(1, 2)
    assert Interval(1, 2) != Interval(1, 3)
    assert Interval(1, 2) != (1, 2)


def test_hash():
    assert len({Interval(1, 2), Interval(1, 2)}) == 1


def test_contains_ends():
    assert 1 in Interval(1, 2)
    assert 2 in Interval(1, 2)


def test_contains_nothing_outside():
    assert 0 not in Interval(1, 2)
    assert 3 not in Interval(1, 2)


def test_and_overlap():
    assert Interval(1, 5) & Interval(3, 9) == Interval(3, 5)


def test_and_touch():
    assert Interval(1, 3) & Interval(3, 4) == Interval(3, 3)


def test_and_apart():
    assert Interval(1, 2) & Interval(3, 4) is None


def test_len_counts_both_ends():
    assert len(Interval(1, 3)) == 3
