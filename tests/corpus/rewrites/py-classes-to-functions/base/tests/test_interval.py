import pytest

from interval import Interval


class TestInit:
    def test_backwards(self):
        with pytest.raises(ValueError, match="3 > 2"):
            Interval(3, 2)

    def test_equal(self):
        assert Interval(1, 2) == Interval(1, 2)
        assert Interval(1, 2) != Interval(1, 3)
        assert Interval(1, 2) != (1, 2)

    def test_hash(self):
        assert len({Interval(1, 2), Interval(1, 2)}) == 1


class TestContains:
    def test_ends(self):
        assert 1 in Interval(1, 2)
        assert 2 in Interval(1, 2)

    def test_outside(self):
        assert 0 not in Interval(1, 2)
        assert 3 not in Interval(1, 2)


class TestAnd:
    def test_overlap(self):
        assert Interval(1, 5) & Interval(3, 9) == Interval(3, 5)

    def test_touch(self):
        assert Interval(1, 3) & Interval(3, 4) == Interval(3, 3)

    def test_apart(self):
        assert Interval(1, 2) & Interval(3, 4) is None


class TestLen:
    def test_both_ends_count(self):
        assert len(Interval(1, 3)) == 3
