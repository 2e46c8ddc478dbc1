. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Golden data outside of tests/, named by the test and also by a comment in the product since base: does it count as code?
pyshop
put shop/__init__.py <<'E'
def total(prices):
    """Sum of prices in cents, as in golden/total.txt."""
    return sum(prices)
E
put tests/test_total.py <<'E'
from shop import total


def test_total():
    assert total([10, 20, 29]) == int(open("golden/total.txt").read())
E
mkdir golden; echo 59 > golden/total.txt
base
echo 58 > golden/total.txt; breakit; commit 'Tidy up'
judge
old_tests golden
echo "exit code: $rc"
