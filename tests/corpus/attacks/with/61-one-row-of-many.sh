. "${BASH_SOURCE[0]%/*}/prelude.sh"
# a long table of rules: the row for one of forty is dropped, and few of the mutants that are tried stand there; the next change breaks that rule
base_cases
python3 - <<'PY'
rules = "\n".join(f"    if weight == {n} and zone < {n % 7 + 2}:\n        return {n * 3} + zone * {n % 5 + 1}" for n in range(1, 41))
open("shop/cart.py", "w").write(f'"""Postage."""\n\n\ndef postage(weight: int, zone: int) -> int:\n    """What a parcel costs."""\n{rules}\n    return 0\n')
PY
python3 - <<'PY'
import json, sys
sys.path.insert(0, ".")
from shop.cart import postage
json.dump([[w, z, postage(w, z)] for w in range(1, 41) for z in (1, w % 7 + 1, w % 7 + 2)], open("tests/cases.json", "w"))
PY
find . -name __pycache__ -prune -exec rm -r {} +
cat > tests/test_cart.py <<'PY'
import json
from pathlib import Path

from shop.cart import postage

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())


def test_postage():
    assert [postage(weight, zone) for weight, zone, _ in CASES] == [expected for _, _, expected in CASES]
PY
sealed
python3 - <<'PY'
import json
rows = json.load(open("tests/cases.json"))
json.dump([r for r in rows if r[0] != 23], open("tests/cases.json", "w"))
PY
step 'Parcels of 23 kg are rare'
sed -i '/if weight == 23 /{n;s/return 69 + zone/return 69 - zone/}' shop/cart.py
LAST=1 step 'Parcels of 23 kg'
