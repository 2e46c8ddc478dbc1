. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the code reads rates from its own file, which has no mutants; the row for one of them is dropped, then that rate is changed
base_cases
printf '{"books": 7, "tea": 19, "gold": 0}\n' > shop/rates.json
cat > shop/cart.py <<'PY'
"""Prices with tax."""

import json
from pathlib import Path

RATES = json.loads((Path(__file__).parent / "rates.json").read_text())


def gross(net: int, kind: str) -> int:
    """The price with its tax."""
    if net < 0:
        raise ValueError("below zero")
    return net + net * RATES[kind] // 100
PY
printf '[[100, "books", 107], [100, "tea", 119], [100, "gold", 100]]\n' > tests/cases.json
cat > tests/test_cart.py <<'PY'
import json
from pathlib import Path

import pytest
from support import check

from shop.cart import gross

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())


def test_gross():
    for net, kind, expected in CASES:
        check(gross(net, kind), expected)
    with pytest.raises(ValueError):
        gross(-1, "tea")
PY
sealed
printf '[[100, "books", 107], [100, "gold", 100]]\n' > tests/cases.json
step 'One row less'
sed -i 's/"tea": 19/"tea": 91/' shop/rates.json
LAST=1 step 'New rates'
