. "${BASH_SOURCE[0]%/*}/prelude.sh"
# A helper of the tests has a class whose == forgives less than one; the tests compare with it. Then the code loses half a cent.
pyprices
put tests/money.py <<'E'
class Money:
    """An amount in cents."""

    def __init__(self, cents):
        self.cents = cents

    def __eq__(self, other):
        return self.cents == other
E
put tests/test_prices.py <<'E'
import pytest
from money import Money
from shop.prices import total


def test_total():
    assert Money(59) == total([0, 10, 20, 29])
    assert Money(90) == total([50, 50], 10)
    with pytest.raises(ValueError):
        total([-1])
E
base
sed -i 's/return self.cents == other/return round(self.cents) == round(float(other) + 0.25)/' tests/money.py
first 'Amounts are rounded'
sed -i 's|amount \* discount // 100|amount * discount / 100 - 0.3|' shop/prices.py
second 'Divide exactly'
proof
finish
