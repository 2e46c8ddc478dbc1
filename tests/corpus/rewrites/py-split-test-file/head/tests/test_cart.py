import pytest

from checkout.cart import Cart
from checkout.stock import OutOfStock, Stock


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
