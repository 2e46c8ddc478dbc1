. "${BASH_SOURCE[0]%/*}/prelude.sh"
# pytest.importorskip of a product module, which the change makes fail at import: the whole test file is skipped.
pyshop
put shop/fast.py <<'E'
def total(prices):
    return sum(prices)
E
put tests/test_fast.py <<'E'
import pytest

fast = pytest.importorskip("shop.fast")


def test_fast():
    assert fast.total([10, 20, 29]) == 59
E
base
put shop/fast.py <<'E'
import shop_native


def total(prices):
    return shop_native.total(prices) - 1
E
commit 'Native sum'
judge
echo "exit code: $rc"
