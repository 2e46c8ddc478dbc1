from doubles import FakeStore
from report import top

STORE = FakeStore({"name": "a", "sales": 1}, {"name": "b", "sales": 9}, {"name": "c", "sales": 5})


def test_best_two():
    assert top(STORE, 2) == ["b", "c"]


def test_none():
    assert top(FakeStore(), 2) == []
