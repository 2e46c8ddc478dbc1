from catalogue import ITEMS, cheaper_than


def test_cheap_ones():
    prices = dict(ITEMS)
    assert cheaper_than(20) == [name for name in prices if prices[name] < 20] == ["pen", "book"]


def test_nothing_is_free():
    assert cheaper_than(0) == []
