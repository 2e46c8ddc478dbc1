. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The test compares with examples that the product ships (shop/examples.py); both are changed.
pyshop
put shop/examples.py <<'E'
EXAMPLES = [([10, 20, 29], 59), ([1], 1)]
E
put tests/test_total.py <<'E'
from shop import total
from shop.examples import EXAMPLES


def test_examples():
    for prices, expected in EXAMPLES:
        assert total(prices) == expected
E
base
sed -i 's/59/58/; s/, 1)/, 0)/' shop/examples.py; breakit; commit 'New examples'
judge
old_tests tests shop/examples.py
echo "exit code: $rc"
