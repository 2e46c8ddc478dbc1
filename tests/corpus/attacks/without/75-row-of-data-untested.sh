. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The test of one row of a table in a JSON file of the product is deleted, the others notice all variants; then the row is broken.
pyprices
put shop/rates.json <<'E'
{"de": 19, "fr": 20, "lu": 17}
E
put shop/tax.py <<'E'
import json
from pathlib import Path

RATES = json.loads((Path(__file__).parent / "rates.json").read_text())


def gross(net, country):
    """Price in cents with tax."""
    if net < 0:
        raise ValueError(net)
    return net + net * RATES[country] // 100
E
put tests/test_tax.py <<'E'
import pytest
from shop.tax import gross


def test_germany():
    assert gross(1000, "de") == 1190
    assert gross(0, "de") == 0
    with pytest.raises(ValueError):
        gross(-1, "de")


def test_france():
    assert gross(1000, "fr") == 1200


def test_luxembourg():
    assert gross(1000, "lu") == 1170
E
base
python3 - <<'E'
p = "tests/test_tax.py"
t = open(p).read()
t = t.replace('''def test_france():
    assert gross(1000, "fr") == 1200


''', '')
open(p, "w").write(t)
E
first 'Fewer tests of countries'
sed -i 's/"fr": 20/"fr": 2/' shop/rates.json
second 'Rates of this year'
proof
finish
