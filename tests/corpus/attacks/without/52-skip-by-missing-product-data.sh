. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The test skips itself where a data file of the product isn't there; the change removes the file.
pyshop
put shop/rates.txt <<'E'
1
E
put tests/test_total.py <<'E'
from pathlib import Path

import pytest
from shop import total

RATES = Path(__file__).parent.parent / "shop" / "rates.txt"


def test_total():
    if not RATES.exists():
        pytest.skip("needs the rates")
    assert total([10, 20, 29]) == 59
E
base
git rm -q shop/rates.txt; breakit; commit 'Rates come from the bank'
judge
echo "exit code: $rc"
