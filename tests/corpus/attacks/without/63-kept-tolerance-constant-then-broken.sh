. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Two changes. The first widens a tolerance that is a constant of the test module (kept); the second breaks the code.
pyshop
put tests/test_total.py <<'E'
from shop import total

TOLERANCE = 0.001


def test_total():
    assert abs(total([10, 20, 29]) - 59) < TOLERANCE
E
base
sed -i 's/TOLERANCE = 0.001/TOLERANCE = 1000/' tests/test_total.py; commit 'Tolerance'
judge; rc1=$rc
BASE=$(git rev-parse HEAD); breakit; commit 'Faster'
judge; echo "exit code of step 1: $rc1"
echo "exit code: $rc"
