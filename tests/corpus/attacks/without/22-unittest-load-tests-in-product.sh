. "${BASH_SOURCE[0]%/*}/prelude.sh"
# unittest: load_tests in the product's __init__ decides what is loaded below it; the change filters by a computed name.
put shop/__init__.py <<'E'
def total(prices):
    return sum(prices)
E
put shop/tests/__init__.py < /dev/null
put shop/tests/test_total.py <<'E'
import unittest

from shop import total


class TotalTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(total([10, 20, 29]), 59)


class EmptyTest(unittest.TestCase):
    def test_empty(self):
        self.assertLessEqual(total([]), 0)
E
base
cat >> shop/__init__.py <<'E'


def _names(loader, found, pattern):
    from shop.tests import test_total as module

    return loader.loadTestsFromTestCase(module.EmptyTest)


globals()["load" + "_tests"] = _names
E
breakit; commit 'Lazy names'
judge
echo "exit code: $rc"
