import pytest
from prices import band_price, is_free, price


@pytest.mark.parametrize(
    ("grams", "cents"),
    [
        pytest.param(250, 390, id="letter"),
        pytest.param(300, 390, id="book"),
        pytest.param(450, 390, id="two books"),
        pytest.param(800, 590, id="shoes"),
        pytest.param(1500, 590, id="lamp"),
        pytest.param(5000, 990, id="toaster"),
        pytest.param(8000, 990, id="chair"),
        pytest.param(11500, 1160, id="table"),
    ],
)
def test_band_price(grams, cents):
    assert band_price(grams) == cents


@pytest.mark.parametrize(
    ("order", "country", "free"),
    [
        pytest.param(1000, "DE", False, id="small order"),
        pytest.param(20000, "DE", True, id="large order"),
        pytest.param(20000, "AT", True, id="large order from Austria"),
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
