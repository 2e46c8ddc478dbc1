. "${BASH_SOURCE[0]%/*}/prelude.sh"
# A fixture waits eleven seconds, so that nothing can be tried in the time there is, and rows of the table are dropped; then the code is broken.
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
put tests/conftest.py <<'E'
import time

import pytest


@pytest.fixture(autouse=True, scope="session")
def settled():
    """The exchange needs a moment after the start."""
    time.sleep(11)
E
put tests/cases.json <<'E'
[[[0, 10, 20, 29], 0, 59]]
E
first 'Wait for the exchange'
sed -i 's/amount \* discount/amount * discount * 2/' shop/prices.py
second 'Double discount'
proof
finish
