import pytest

from checkout.cart import Cart, OutOfStock, Stock, price


def test_price_of_one():
    assert price("tea", 1) == 350


def test_ten_are_five_percent_off():
    assert price("mug", 9) == 10800
    assert price("mug", 10) == 11400


def test_unknown_items_have_no_price():
    with pytest.raises(KeyError):
        price("spoon", 1)


def test_stock_shrinks():
    stock = Stock(tea=3)
    stock.take("tea", 2)
    assert stock.counts == {"tea": 1}


def test_stock_runs_out():
    with pytest.raises(OutOfStock, match="pot"):
        Stock(tea=3).take("pot", 1)


def test_cart_adds_up():
    cart = Cart(Stock(tea=5, mug=1))
    cart.add("tea", 2)
    cart.add("tea")
    cart.add("mug")
    assert cart.lines == {"tea": 3, "mug": 1}
    assert cart.total() == 3 * 350 + 1200


def test_cart_takes_nothing_that_is_gone():
    cart = Cart(Stock(tea=1))
    with pytest.raises(OutOfStock):
        cart.add("tea", 2)
    assert cart.lines == {}
