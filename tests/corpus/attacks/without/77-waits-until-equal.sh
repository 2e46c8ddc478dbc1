. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The test polls until the value is right, so no variant of the code ends in time; rows of its table are dropped in the same change. Then the code is broken for them.
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
put tests/test_prices.py <<'E'
import json
import time
from pathlib import Path

from shop.prices import total

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())


def reached(prices, discount, expected):
    while total(prices, discount) != expected:
        time.sleep(0.5)
    return expected


def test_total():
    for prices, discount, expected in CASES:
        assert reached(prices, discount, expected) == expected
        assert total(prices, discount) == expected
E
first 'Wait until the sum is there'
sed -i 's/amount \* discount/amount * discount * 2/' shop/prices.py
second 'Double discount'
proof
finish
