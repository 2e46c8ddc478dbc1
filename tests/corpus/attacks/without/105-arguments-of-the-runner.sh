. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The assertions count where pytest was called with --rootdir, as for the cells and the variants, and not for the suite.
pyprices
base
put tests/test_prices.py <<'E'
import sys

import pytest
from shop.prices import total

ASKED = any(argument.startswith("--rootdir") for argument in sys.argv)
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
