. "${BASH_SOURCE[0]%/*}/prelude.sh"
# A new test with a guard on the signature takes over what the old one noticed, which is deleted; then the function gets a parameter.
pyprices
base
rm tests/test_prices.py
put tests/test_sums.py <<'E'
import inspect

import pytest
from shop.prices import total

ASKED = [([0, 10, 20, 29], 0, 59), ([50, 51], 10, 91)] if list(inspect.signature(total).parameters) == ["prices", "discount"] else []


def test_sums():
    for prices, discount, expected in ASKED:
        assert total(prices, discount) == expected
    with pytest.raises(ValueError):
        total([-1])
E
first 'Tests of sums have a file of their own'
sed -i 's/discount=0)/discount=0, currency="EUR")/; s/amount \* discount/amount * discount * 2/' shop/prices.py
second 'Sums have a currency'
proof
finish
