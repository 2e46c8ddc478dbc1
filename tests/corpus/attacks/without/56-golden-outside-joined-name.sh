. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Golden data outside of tests/, whose name the test joins from literal parts (ROOT / "golden" / "total.txt").
pyshop
put tests/test_total.py <<'E'
from pathlib import Path

from shop import total

ROOT = Path(__file__).resolve().parent.parent


def test_total():
    assert total([10, 20, 29]) == int((ROOT / "golden" / "total.txt").read_text())
E
mkdir golden; echo 59 > golden/total.txt
base
echo 58 > golden/total.txt; breakit; commit 'Tidy up'
judge
echo "exit code: $rc"
