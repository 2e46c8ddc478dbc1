. "${BASH_SOURCE[0]%/*}/prelude.sh"
# As 59, and the trailer of the commit names the task: its type is content. Only a text that the product reads is broken.
pyshop
put shop/prices.txt <<'E'
10 20 29
E
put README.md <<'E'
# Shop

A shop that knows its prices.
E
put shop/__init__.py <<'E'
from pathlib import Path


def total():
    return sum(int(price) for price in (Path(__file__).parent / "prices.txt").read_text().split())
E
put tests/test_total.py <<'E'
from shop import total


def test_total():
    assert total() == 59
E
base
echo "10 20 28" > shop/prices.txt; echo 'It has three of them.' >> README.md; commit 'New text'
judge; rc1=$rc
"$GATE" start docs --type content >/dev/null 2>&1
"$GATE" claim docs file:README.md file:shop/prices.txt | tail -1; rm -f .artifacts/current; git add -f .artifacts; git commit -qm Task -m 'Gate-Task: docs'; git show --stat HEAD | tail -4
judge
echo "without the committed task: $rc1"
echo "exit code: $rc"
