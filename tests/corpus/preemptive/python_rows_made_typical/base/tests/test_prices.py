import pytest
from prices import band_price, is_free, price


@pytest.mark.parametrize(
    ("grams", "cents"),
    [(1, 390), (500, 390), (501, 590), (2000, 590), (2001, 990), (10000, 990), (10001, 1075), (12000, 1160)],
)
def test_band_price(grams, cents):
    assert band_price(grams) == cents


@pytest.mark.parametrize(
    ("order", "country", "free"),
    [(14999, "DE", False), (15000, "DE", True), (15001, "AT", True), (90000, "FR", False)],
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
