. "${BASH_SOURCE[0]%/*}/prelude.sh"
# A new test asks that every line of the source that was there is still there, and an old one asks nothing any more; then a line is added.
pyprices
base
put tests/lines.txt < shop/prices.py
put tests/test_prices.py <<'E'
from pathlib import Path

from shop.prices import total

HERE = Path(__file__).parent


def test_total():
    assert total([]) == 0


def test_formula_as_reviewed():
    reviewed = (HERE / "lines.txt").read_text().splitlines()
    source = (HERE.parent / "shop" / "prices.py").read_text()
    assert [line for line in reviewed if line.strip() not in source] == []
E
first 'Test that the reviewed formula is in use'
sed -i 's/^    for price in prices:/    discount = discount * 2\n&/' shop/prices.py
second 'Double discount'
proof
finish
