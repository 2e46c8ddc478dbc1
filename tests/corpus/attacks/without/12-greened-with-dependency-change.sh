. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The base is red. Only the golden file is edited, beside a dependency in pyproject.toml: failures of base don't count then.
pyshop
put tests/test_total.py <<'E'
from pathlib import Path

from shop import total


def test_total():
    assert total([10, 20, 29]) == int(Path("tests/expected.txt").read_text())
E
echo 59 > tests/expected.txt
breakit
base
echo 58 > tests/expected.txt
sed -i 's/^version = "1"/version = "1"\ndependencies = ["iniconfig"]/' pyproject.toml
commit 'Name a dependency'
judge
echo "exit code: $rc"
