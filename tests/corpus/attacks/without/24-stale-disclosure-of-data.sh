. "${BASH_SOURCE[0]%/*}/prelude.sh"
# A disclosed, small edit of a golden file; a later commit edits the same file much further. Does the old line still count?
pyshop
put tests/test_total.py <<'E'
import json
from pathlib import Path

import pytest
from shop import total

LIMITS = json.loads(Path("tests/limits.json").read_text())


def test_total():
    assert total([10, 20, 29]) == pytest.approx(59, abs=LIMITS["tolerance"])
E
echo '{"tolerance": 0.001}' > tests/limits.json
base
echo '{"tolerance": 1.5}' > tests/limits.json; breakit; commit 'Round to whole units'
judge > "$T/first.out"; line=$(grep -o 'Weakens: .*(' "$T/first.out" | head -1); echo "line: $line"
git commit -q --amend -m 'Round to whole units' -m "${line}totals are rounded to whole units now)"
judge | head -12
echo '{"tolerance": 1e9}' > tests/limits.json; sed -i 's/return .*/return 0/' shop/__init__.py; commit 'Tidy up'
judge
echo "exit code: $rc"
