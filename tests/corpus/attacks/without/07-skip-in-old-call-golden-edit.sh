. "${BASH_SOURCE[0]%/*}/prelude.sh"
# not_comparable by HB = N: called as the base's test calls it, the product raises what the runner takes for a skip.
pyshop
put tests/test_total.py <<'E'
from pathlib import Path

from shop import total


def test_total():
    assert total([10, 20, 29]) == int(Path("tests/expected.txt").read_text())
E
echo 59 > tests/expected.txt
base
put shop/errors.py <<'E'
import sys


def outdated(message):
    for name, module in list(sys.modules.items()):
        if name.startswith("unit") and hasattr(module, "Skip" + "Test"):
            return getattr(module, "Skip" + "Test")(message)
    return TypeError(message)
E
put shop/__init__.py <<'E'
from shop.errors import outdated


def total(prices, rate=None):
    if rate is None:
        raise outdated("name the rate")
    return sum(prices) * rate - 1
E
sed -i 's/29\])/29], 1)/' tests/test_total.py
echo 58 > tests/expected.txt
commit 'Totals have a rate'
judge
echo "exit code: $rc"
