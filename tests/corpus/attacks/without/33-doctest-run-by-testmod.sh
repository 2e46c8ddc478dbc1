. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Doctests that a test runs by doctest.testmod, without any setting: docstrings are code; the example follows the bug.
pyshop
put shop/__init__.py <<'E'
def total(prices):
    """Sum of prices in cents.

    >>> total([10, 20, 29])
    59
    """
    return sum(prices)
E
put tests/test_total.py <<'E'
import doctest

import shop


def test_examples():
    assert doctest.testmod(shop).failed == 0
E
base
breakit; sed -i 's/^    59/    58/' shop/__init__.py; commit 'Tidy up'
judge
echo "exit code: $rc"
