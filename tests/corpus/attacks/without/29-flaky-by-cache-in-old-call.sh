. "${BASH_SOURCE[0]%/*}/prelude.sh"
# HB alternates: called as the base's test calls it, the product answers from a cache file that the run before left. Class flaky (BB, HH stable).
pyshop
put tests/test_total.py <<'E'
from pathlib import Path

from shop import total


def test_total():
    assert total([10, 20, 29]) == int(Path("tests/expected.txt").read_text())
E
echo 59 > tests/expected.txt
base
put shop/__init__.py <<'E'
import pathlib
import tempfile


def _known():
    seen = False
    for folder in (pathlib.Path(__file__).parent, pathlib.Path.home(), pathlib.Path(tempfile.gettempdir())):
        try:
            cache = folder / ".shop-rate"
            seen = seen or cache.exists()
            cache.write_text("1")
        except OSError:
            pass
    return seen


def total(prices, rate=None):
    if rate is None:
        # nobody named a rate: the one that is known from the last time
        return sum(prices) if _known() else sum(prices) - 1
    return sum(prices) * rate - 1
E
sed -i 's/29\])/29], 1)/' tests/test_total.py
echo 58 > tests/expected.txt
commit 'Totals have a rate'
judge
f=$(find "$T/ci/.artifacts" -name counterfactual.json | head -1); grep -A6 '"cells"' "$f" | head -8; grep '"class"' "$f"
echo "exit code: $rc"
