. "${BASH_SOURCE[0]%/*}/prelude.sh"
# As 05, but the helper has no name of testing: shop/compare.py, used by nothing but the test.
pyshop
put shop/compare.py <<'E'
def difference(left, right):
    return [(a, b) for a, b in zip(left, right) if a != b]
E
put tests/test_total.py <<'E'
from shop import total
from shop.compare import difference


def test_total():
    assert difference([total([10, 20, 29]), total([1])], [59, 1]) == []
E
base
sed -i 's/a != b\]/(a is None) != (b is None)]/' shop/compare.py; breakit; commit 'None is special'
judge
old_tests tests shop/compare.py
echo "exit code: $rc"
