. "${BASH_SOURCE[0]%/*}/prelude.sh"
# As 08, but without any data file: a constant of the test module, and what is summed, change in the text of the test file.
pyshop
put tests/test_total.py <<'E'
from shop import total

PRICES = [10, 20, 29]
EXPECTED = 59


def test_total():
    assert total(PRICES) == EXPECTED
E
base
put shop/__init__.py <<'E'
import os


def total(prices, rate=None):
    if rate is None:
        print("a rate is needed", flush=True)
        os.abort()
    return sum(prices) * rate - 1
E
sed -i 's/PRICES)/PRICES, 1)/; s/EXPECTED = 59/EXPECTED = 58/' tests/test_total.py
commit 'Totals have a rate'
judge
echo "exit code: $rc"
