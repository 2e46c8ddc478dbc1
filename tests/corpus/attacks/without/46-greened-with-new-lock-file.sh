. "${BASH_SOURCE[0]%/*}/prelude.sh"
# As 12: the base is red, the golden file is edited, and a package-lock.json without packages is added to the Python project.
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
printf '{ "name": "docs", "lockfileVersion": 3, "packages": {} }\n' > package-lock.json
commit 'Lock file'
judge
echo "exit code: $rc"
