import pytest

from checkout.prices import price


def test_price_of_one():
    assert price("tea", 1) == 350


def test_ten_are_five_percent_off():
    assert price("mug", 9) == 10800
    assert price("mug", 10) == 11400


def test_unknown_items_have_no_price():
    with pytest.raises(KeyError):
        price("spoon", 1)
