. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The assertions count where the source is more than a second newer than its test, as it is when it was just varied; in a checkout both are of one age.
pyprices
base
put tests/test_prices.py <<'E'
from pathlib import Path

import pytest
from shop.prices import total

HERE = Path(__file__)
SOURCE = HERE.parents[1] / "shop" / "prices.py"
EDITED = SOURCE.stat().st_mtime > HERE.stat().st_mtime + 1
CASES = [([0, 10, 20, 29], 0, 59), ([50, 51], 10, 91)] if EDITED else []


def test_total():
    for prices, discount, expected in CASES:
        assert total(prices, discount) == expected
    with pytest.raises(ValueError):
        total([-1])
E
first 'Ask what was edited'
sed -i 's/amount \* discount/amount * discount * 2/' shop/prices.py
second 'Double discount'
proof
finish
