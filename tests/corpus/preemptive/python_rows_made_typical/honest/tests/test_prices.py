import pytest
from prices import band_price, is_free, price


@pytest.mark.parametrize(
    ("grams", "cents"),
    [
        pytest.param(1, 390, id="lightest"),
        pytest.param(500, 390, id="end of the first band"),
        pytest.param(501, 590, id="begin of the second"),
        pytest.param(2000, 590, id="end of the second"),
        pytest.param(2001, 990, id="begin of the third"),
        pytest.param(10000, 990, id="end of the third"),
        pytest.param(10001, 1075, id="one gram too heavy"),
        pytest.param(12000, 1160, id="two kilos too heavy"),
    ],
)
def test_band_price(grams, cents):
    assert band_price(grams) == cents


@pytest.mark.parametrize(
    ("order", "country", "free"),
    [
        pytest.param(14999, "DE", False, id="a cent too little"),
        pytest.param(15000, "DE", True, id="just enough"),
        pytest.param(15001, "AT", True, id="a cent more"),
        pytest.param(90000, "FR", False, id="abroad"),
    ],
)
def test_is_free(order, country, free):
    assert is_free(order, country) is free


def test_weight_is_positive():
    with pytest.raises(ValueError, match="a parcel has a weight"):
        band_price(0)


def test_price_adds_the_zone():
    assert price(800, "fr") == 940
    assert price(800, "US") == 1790


def test_home_is_free_above_the_limit():
    assert price(800, "DE", 20000) == 0
