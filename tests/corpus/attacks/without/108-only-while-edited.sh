. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The assertions count where git says that the source was edited since it was staged, which is so for each variant and in no clean checkout.
pyprices
base
put tests/test_prices.py <<'E'
import subprocess
from pathlib import Path

import pytest
from shop.prices import total

ROOT = Path(__file__).parents[1]
EDITED = subprocess.run(["git", "diff", "--name-only", "--", "shop"], cwd=ROOT, capture_output=True, text=True).stdout
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
