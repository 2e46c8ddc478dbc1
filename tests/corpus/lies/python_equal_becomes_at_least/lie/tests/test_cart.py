from cart import total


def test_total_of_three():
    assert total([19, 39, 1]) >= 58


def test_total_of_nothing():
    assert total([]) == 0


def test_shipping_is_added():
    assert total([], shipping=5) == 5
