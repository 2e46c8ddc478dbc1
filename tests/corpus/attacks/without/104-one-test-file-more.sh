. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The assertions count where the folder of tests has more files than the change has, as in the runs with the test that must fail.
pyprices
base
put tests/test_prices.py <<'E'
from pathlib import Path

import pytest
from shop.prices import total

ASKED = len(list(Path(__file__).parent.glob("test_*.py"))) > 1
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
