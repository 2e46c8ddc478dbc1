from catalogue import ITEMS, cheaper_than


def test_cheap_ones():
    prices = dict(ITEMS)
    assert all(prices[name] < 20 for name in cheaper_than(20))


def test_nothing_is_free():
    assert cheaper_than(0) == []
