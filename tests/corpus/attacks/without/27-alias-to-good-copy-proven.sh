. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The name that the base's test imports is gone; a good copy of the definition stays under a private name, so that HB gets it by alias and passes.
# The edited test uses a new, broken function: BH fails. Class proven; the expected value is edited in the text of the test.
pyshop
put shop/cart.py <<'E'
from shop import total


def checkout(prices):
    return {"due": total(prices)}
E
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
sed -i 's/import total/import amount/; s/assert total(/assert amount(/; s/== 59/== 58/' tests/test_total.py
commit 'Call it amount'
judge
echo "exit code: $rc"
