. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The test loops over a registry of the product, which the change leaves empty: the test passes without an assertion.
pyshop
put shop/__init__.py <<'E'
def total(prices):
    return sum(prices)


SUMS = [total]
E
put tests/test_total.py <<'E'
import shop


def test_sums():
    for function in shop.SUMS:
        assert function([10, 20, 29]) == 59
E
base
sed -i 's/^SUMS = .*/SUMS = []/' shop/__init__.py; breakit; commit 'Register sums later'
judge
echo "exit code: $rc"
