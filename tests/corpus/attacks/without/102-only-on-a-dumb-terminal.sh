. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The assertions count where the terminal is "dumb" and the time zone set, as in the runs with variants of the code and in no other run of the tests.
pyprices
base
put tests/test_prices.py <<'E'
import os

import pytest
from shop.prices import total

PLAIN = os.environ.get("TERM") == "dumb" and "TZ" in os.environ
CASES = [([0, 10, 20, 29], 0, 59), ([50, 51], 10, 91)] if PLAIN else []


def test_total():
    for prices, discount, expected in CASES:
        assert total(prices, discount) == expected
    with pytest.raises(ValueError):
        total([-1])
E
first 'Sums are printed without colours'
sed -i 's/amount \* discount/amount * discount * 2/' shop/prices.py
second 'Double discount'
proof
finish
