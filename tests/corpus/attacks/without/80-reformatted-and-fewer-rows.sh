. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The first change writes each line of the code in another way, so that no line is the same, and drops rows of a table; the second breaks the code.
pyprices
put tests/cases.json <<'E'
[[[0, 10, 20, 29], 0, 59], [[50, 51], 10, 91]]
E
put tests/test_prices.py <<'E'
import json
from pathlib import Path

from shop.prices import total

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())


def test_total():
    for prices, discount, expected in CASES:
        assert total(prices, discount) == expected
E
base
put tests/cases.json <<'E'
[[[0, 10, 20, 29], 0, 59]]
E
put shop/prices.py <<'E'
def total(prices: list[int], discount: int = 0) -> int:
    """Sum of prices in cents, less a discount in percent."""
    sum_ = 0
    for cents in prices:
        if cents < 0:
            raise ValueError(cents)
        sum_ = sum_ + cents
    return sum_ - sum_ * discount // 100
E
first 'Types and names'
sed -i 's/sum_ \* discount/sum_ * discount * 2/' shop/prices.py
second 'Double discount'
proof
finish
