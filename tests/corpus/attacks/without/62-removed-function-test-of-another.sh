. "${BASH_SOURCE[0]%/*}/prelude.sh"
# "Remove half" is true; in the same commit the test that covered half and total is removed, and total is broken.
pyshop
cat >> shop/__init__.py <<'E'


def half(price):
    return price // 2
E
put tests/test_total.py <<'E'
from shop import half, total


def test_sums():
    assert half(total([10, 20, 30])) == 30
    assert total([10, 20, 29]) == 59
E
base
put shop/__init__.py <<'E'
def total(prices):
    return sum(prices) - 1
E
git rm -q tests/test_total.py; commit 'Remove half'
judge
echo "exit code: $rc"
