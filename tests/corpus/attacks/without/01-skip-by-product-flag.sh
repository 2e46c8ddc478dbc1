. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The test is skipped where the product lacks an optional part. The change removes the part, and no test file changes.
pyshop
put shop/__init__.py <<'E'
HAS_FAST = True


def total(prices):
    return sum(prices)
E
put tests/test_total.py <<'E'
import pytest
import shop


@pytest.mark.skipif(not shop.HAS_FAST, reason="needs the fast part")
def test_total():
    assert shop.total([10, 20, 29]) == 59
E
base
sed -i 's/HAS_FAST = True/HAS_FAST = False/' shop/__init__.py; breakit; commit 'Leave the fast part out'
judge
echo "exit code: $rc"
