. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The comparison lives in shop/testing.py (no test framework imported, so code): the change makes it tolerant.
pyshop
put shop/testing.py <<'E'
def same(left, right):
    if abs(left - right) > 0.001:
        raise AssertionError(f"{left} is not {right}")
E
put tests/test_total.py <<'E'
from shop import total
from shop.testing import same


def test_total():
    same(total([10, 20, 29]), 59)
E
base
sed -i 's/> 0.001/> 1000/' shop/testing.py; breakit; commit 'Tidy up'
judge
old_tests tests shop/testing.py
echo "exit code: $rc"
