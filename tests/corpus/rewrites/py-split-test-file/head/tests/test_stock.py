import pytest

from checkout.stock import OutOfStock, Stock


def test_stock_shrinks():
    stock = Stock(tea=3)
    stock.take("tea", 2)
    assert stock.counts == {"tea": 1}


def test_stock_runs_out():
    with pytest.raises(OutOfStock, match="pot"):
        Stock(tea=3).take("pot", 1)
