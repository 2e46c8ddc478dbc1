. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Two changes. The first drops rows of the table that the test reads (kept, no text says it); the second breaks the code.
pyshop
put tests/test_total.py <<'E'
import json
from pathlib import Path

import pytest
from shop import total

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())


@pytest.mark.parametrize("prices,expected", CASES)
def test_total(prices, expected):
    assert total(prices) == expected
E
echo '[[[], 0], [[1], 1], [[10, 20, 29], 59], [[-5, 5], 0]]' > tests/cases.json
base
echo '[[[], 0]]' > tests/cases.json; commit 'Fewer cases'
judge; rc1=$rc
BASE=$(git rev-parse HEAD); sed -i 's/return sum(prices)$/return sum(prices[:0])/' shop/__init__.py; commit 'Faster'
judge; echo "exit code of step 1: $rc1"
echo "exit code: $rc"
