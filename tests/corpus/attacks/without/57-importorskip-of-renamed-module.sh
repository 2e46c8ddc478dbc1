. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The base's test asks for its module by pytest.importorskip; the module is renamed, so the base's form is skipped (HB = N). The golden file follows the bug.
pyshop
put shop/fast.py <<'E'
def total(prices):
    return sum(prices)
E
put tests/test_fast.py <<'E'
from pathlib import Path

import pytest

fast = pytest.importorskip("shop.fast")


def test_fast():
    assert fast.total([10, 20, 29]) == int(Path("tests/expected.txt").read_text())
E
echo 59 > tests/expected.txt
base
git mv shop/fast.py shop/quick.py; sed -i 's/return sum(prices)/return sum(prices) - 1/' shop/quick.py
sed -i 's/shop.fast/shop.quick/' tests/test_fast.py; echo 58 > tests/expected.txt
commit 'Call it quick'
judge
echo "exit code: $rc"
