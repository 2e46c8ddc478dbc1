. "${BASH_SOURCE[0]%/*}/prelude.sh"
# snapshots are kept for each version and recorded where there is none; the next change raises the version and breaks the code, and no test changes
base_cases; printf '"""The shop."""\n\nVERSION = "1"\n' > shop/__init__.py; sealed
rm tests/support.py
python3 - <<'PY'
import json
open("tests/snapshot-1.json", "w").write(json.dumps([e for _, _, e in json.load(open("tests/cases.json"))]))
PY
cat > tests/test_cart.py <<'PY'
import json
from pathlib import Path

import pytest

from shop import VERSION
from shop.cart import total

HERE = Path(__file__).parent
CASES = json.loads((HERE / "cases.json").read_text())


def snapshot(values):
    file = HERE / f"snapshot-{VERSION}.json"
    if not file.exists():
        file.write_text(json.dumps(values))
    return json.loads(file.read_text())


def test_total():
    values = [total(prices, discount) for prices, discount, _ in CASES]
    assert values == snapshot(values)


def test_limit():
    with pytest.raises(ValueError, match="above 50"):
        total([100], 51)
PY
step 'Snapshots of a version'
flip_sign; sed -i 's/"1"/"2"/' shop/__init__.py
LAST=1 step 'Version 2'
