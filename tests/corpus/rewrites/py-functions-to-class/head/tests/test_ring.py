import pytest

from ring import Ring


@pytest.fixture
def ring():
    return Ring([1, 2, 3])


def test_init_more_than_fits():
    assert Ring([1, 2, 3], size=2).entries == [2, 3]


class TestPush:
    def test_with_room(self, ring):
        assert ring.push(4) is None
        assert ring.entries == [1, 2, 3, 4]

    def test_when_full(self):
        ring = Ring([1, 2, 3], size=3)
        assert ring.push(4) == 1
        assert ring.entries == [2, 3, 4]


class TestPop:
    def test_oldest(self, ring):
        assert ring.pop() == 1
        assert ring.entries == [2, 3]

    def test_when_empty(self):
        with pytest.raises(IndexError, match="empty ring"):
            Ring().pop()


class TestRotate:
    @pytest.mark.parametrize(
        ("count", "entries"), [(0, [1, 2, 3]), (1, [2, 3, 1]), (-1, [3, 1, 2]), (4, [2, 3, 1]), (3, [1, 2, 3])]
    )
    def test_by(self, ring, count, entries):
        ring.rotate(count)
        assert ring.entries == entries

    def test_when_empty(self):
        ring = Ring()
        ring.rotate(5)
        assert ring.entries == []
