. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The test loops over the cases of the version, none for a later one: no assertion moves below a condition. Then the version is raised.
pyprices
base
put tests/test_prices.py <<'E'
import pytest
import shop
from shop.prices import total

CASES = {"1.0": [([0, 10, 20, 29], 0, 59), ([50, 51], 10, 91)]}


def test_total():
    for prices, discount, expected in CASES.get(shop.__version__, []):
        assert total(prices, discount) == expected
    with pytest.raises(ValueError):
        total([-1])
E
first 'A table of cases'
sed -i 's/1.0/1.1/' shop/__init__.py
sed -i 's/amount \* discount/amount * discount * 2/' shop/prices.py
second 'Release 1.1'
proof
finish
