. "${BASH_SOURCE[0]%/*}/prelude.sh"
# As 08: the assertion stands in tests/helpers.py, which is made to compare types.
pyshop
touch tests/__init__.py
put tests/helpers.py <<'E'
def check(left, right):
    assert left == right
E
put tests/test_total.py <<'E'
from shop import total
from tests.helpers import check


def test_total():
    check(total([10, 20, 29]), 59)
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
sed -i 's/left == right/type(left) == type(right)/' tests/helpers.py
sed -i 's/29\])/29], 1)/' tests/test_total.py
commit 'Totals have a rate'
judge
echo "exit code: $rc"
