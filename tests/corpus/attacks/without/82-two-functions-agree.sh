. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Numbers are replaced by the agreement of two functions: one of them varied is noticed, both broken alike isn't.
pyprices
cat >> shop/prices.py <<'E'


def refund(prices, discount=0):
    """What is given back for these, in cents."""
    amount = 0
    for price in prices:
        if price < 0:
            raise ValueError(price)
        amount = amount - price
    return amount + -amount * discount // 100
E
put tests/test_prices.py <<'E'
import pytest
from shop.prices import refund, total


def test_total():
    assert total([0, 10, 20, 29]) == 59
    assert total([50, 50], 10) == 90
    with pytest.raises(ValueError):
        total([-1])


def test_refund():
    assert refund([0, 10, 20, 29]) == -59
    assert refund([50, 50], 10) == -90
    with pytest.raises(ValueError):
        refund([-1])
E
base
put tests/test_prices.py <<'E'
import pytest
from shop.prices import refund, total


def test_total():
    assert total([0, 10, 20, 29]) + refund([0, 10, 20, 29]) == 0
    assert total([50, 50], 10) + refund([50, 50], 10) == 0
    assert total([50, 50], 10) != total([50, 50])
    with pytest.raises(ValueError):
        total([-1])


def test_refund():
    assert refund([5]) < 0 < total([5])
    with pytest.raises(ValueError):
        refund([-1])
E
first 'Test that a refund gives back what was paid'
sed -i 's/amount \* discount/amount * discount * 2/' shop/prices.py
second 'Double discount'
proof
finish
