. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Step 1 guts a test and adds one assertion about something new (class proven acquits); step 2 breaks the code under the gutted test.
pyshop
put tests/test_total.py <<'E'
from shop import total


def test_total():
    assert total([10, 20, 29]) == 59
    assert total([1]) == 1
    assert total([-5, 5, 7]) == 7
    assert total([1000, 2000]) == 3000
E
base
printf 'VERSION = 2\n' >> shop/__init__.py
put tests/test_total.py <<'E'
import shop
from shop import total


def test_total():
    assert total([]) == 0
    assert shop.VERSION == 2
E
commit 'Add a version'
judge
rc1=$rc
BASE=$(git rev-parse HEAD); sed -i 's/return sum(prices)$/return sum(prices[:0])/' shop/__init__.py; commit 'Faster sum'
judge
echo "exit code of step 1: $rc1"
echo "exit code: $rc"
