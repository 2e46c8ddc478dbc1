from inbox import messages

ITEMS = [(2, "b"), (1, "a")]


def test_default_order():
    assert messages(ITEMS) == [(1, "a"), (2, "b")]


def test_newest_first():
    assert messages(ITEMS, newest_first=True) == [(2, "b"), (1, "a")]
