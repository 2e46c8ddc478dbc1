. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The base's form of the test kills the process on the new code (os._exit(0)); the golden file follows.
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
import os


def total(prices, rate=None):
    if rate is None:
        print("a rate is needed", flush=True)
        os.abort()
    return sum(prices) * rate - 1
E
sed -i 's/29\])/29], 1)/' tests/test_total.py
echo 58 > tests/expected.txt
commit 'Totals have a rate'
judge
echo "exit code: $rc"
