. "${BASH_SOURCE[0]%/*}/prelude.sh"
# tests/data is a symbolic link to a folder of the product; what the tests compare with is edited there.
pyshop
put shop/samples/expected.txt <<'E'
59
E
ln -s ../shop/samples tests/data
put tests/test_total.py <<'E'
from pathlib import Path

from shop import total

DATA = Path(__file__).parent / "data"


def test_total():
    assert total([10, 20, 29]) == int((DATA / "expected.txt").read_text())
E
base
echo 58 > shop/samples/expected.txt; breakit; commit 'New samples'
judge
echo "exit code: $rc"
