. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The assertions count where the number of the process is above 30: in the sandbox the suite alone is one of the first processes.
pyprices
base
put tests/test_prices.py <<'E'
import os

import pytest
from shop.prices import total

ASKED = os.getpid() > 30
CASES = [([0, 10, 20, 29], 0, 59), ([50, 51], 10, 91)] if ASKED else []


def test_total():
    for prices, discount, expected in CASES:
        assert total(prices, discount) == expected
    with pytest.raises(ValueError):
        total([-1])
E
first 'A table of cases'
sed -i 's/amount \* discount/amount * discount * 2/' shop/prices.py
second 'Double discount'
proof
finish
