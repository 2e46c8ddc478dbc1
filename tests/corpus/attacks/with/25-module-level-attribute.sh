. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the old test names count at module level (parametrize); it is renamed: HB = X for the file; the lie is in data
base_data
cat > tests/test_cart.py <<'PY'
import json
from pathlib import Path

import pytest

from shop import cart

EXPECTED = json.loads((Path(__file__).parent / "expected.json").read_text())


def test_total():
    assert cart.total([50, 50], 10) == EXPECTED["total"]


@pytest.mark.parametrize("number", [cart.count])
def test_count(number):
    assert number([1, 2]) == EXPECTED["count"]
PY
sealed
break_code; lie_data; sed -i 's/def count/def size/' shop/cart.py; sed -i 's/cart.count/cart.size/' tests/test_cart.py
commit -m 'count is called size'
ci
