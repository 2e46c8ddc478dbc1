. "${BASH_SOURCE[0]%/*}/prelude.sh"
# As 27, with the expected value in a golden file: no text of the test weakens.
pyshop
put shop/cart.py <<'E'
from shop import total


def checkout(prices):
    return {"due": total(prices)}
E
put tests/test_total.py <<'E'
from pathlib import Path

from shop import total


def test_total():
    assert total([10, 20, 29]) == int(Path("tests/expected.txt").read_text())
E
echo 59 > tests/expected.txt
base
put shop/__init__.py <<'E'
def _legacy(prices):
    """Sum of prices in cents."""
    return sum(prices)


def amount(prices):
    """What is due, in cents."""
    return sum(prices) - 1
E
sed -i 's/total/amount/g' shop/cart.py
sed -i 's/import total/import amount/; s/assert total(/assert amount(/' tests/test_total.py
echo 58 > tests/expected.txt
commit 'Call it amount'
judge
echo "exit code: $rc"
