. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The test compares what the code gives with what the code in the index of git gives, instead of with numbers.
pyprices
base
put tests/test_prices.py <<'E'
import subprocess
from pathlib import Path

from shop.prices import total

ROOT = Path(__file__).parents[1]
ASKED = [([0, 10, 20, 29], 0), ([50, 51], 10), ([-1], 0)]


def outcomes(function):
    for prices, discount in ASKED:
        try:
            yield function(prices, discount)
        except ValueError as error:
            yield str(error)


def test_total():
    staged = {}
    text = subprocess.run(["git", "show", ":shop/prices.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    exec(text, staged)
    assert list(outcomes(total)) == list(outcomes(staged["total"]))
E
first 'Compare sums with those of the staged code'
sed -i 's/amount \* discount/amount * discount * 2/' shop/prices.py
second 'Double discount'
proof
finish
