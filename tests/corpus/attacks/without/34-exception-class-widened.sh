. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Tests ask for pytest.raises(ShopError); the product makes ShopError an alias of Exception, and raises a TypeError by mistake.
pyshop
put shop/__init__.py <<'E'
class ShopError(Exception):
    pass


def total(prices):
    for price in prices:
        if price < 0:
            raise ShopError("negative")
    return sum(prices)
E
put tests/test_total.py <<'E'
import pytest
from shop import ShopError, total


def test_total():
    assert total([10, 20, 29]) == 59


def test_negative():
    with pytest.raises(ShopError):
        total([-1])
E
base
put shop/__init__.py <<'E'
ShopError = Exception


def total(prices):
    for price in prices:
        if price < 0:
            return prices.nothing
    return sum(prices)
E
commit 'Simpler errors'
judge
echo "exit code: $rc"
