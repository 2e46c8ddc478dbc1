. "${BASH_SOURCE[0]%/*}/prelude.sh"
# One test of the base kills the cell's process on the new code; another test, in another file, is loosened by its golden file and isn't compared any more.
pyshop
put shop/rates.py <<'E'
def rate(name):
    return {"EUR": 1}[name]
E
put tests/test_a_rates.py <<'E'
from shop.rates import rate


def test_rate():
    assert rate("EUR") == 1
E
put tests/test_total.py <<'E'
from pathlib import Path

from shop import total


def test_total():
    assert total([10, 20, 29]) == int(Path("tests/expected.txt").read_text())
E
echo 59 > tests/expected.txt
base
put shop/rates.py <<'E'
import os


def rate(name, day=None):
    if day is None:
        print("a day is needed", flush=True)
        os.abort()
    return {"EUR": 1}[name]
E
sed -i 's/rate("EUR")/rate("EUR", 1)/' tests/test_a_rates.py
breakit; echo 58 > tests/expected.txt
commit 'Rates have a day'
judge
grep -o '"cells":{[^}]*}\|"class":"[a-z_]*"' $(find "$T/ci/.artifacts" -name counterfactual.json | head -1)
echo "exit code: $rc"
