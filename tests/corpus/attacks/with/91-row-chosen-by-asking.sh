. "${BASH_SOURCE[0]%/*}/prelude.sh"
# as 61, where the row that is dropped is chosen by what the gate says of up to four of them
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
for row in 31 8 17 38; do
  git checkout -q HEAD -- tests
  python3 - $row <<'PY'
import json, sys
rows = json.load(open("tests/cases.json"))
json.dump([r for r in rows if r[0] != int(sys.argv[1])], open("tests/cases.json", "w"))
PY
  git add --all; git commit -q --no-verify -m "Parcels of $row kg are rare"
  HOME="$D/home-try" "$GATE" verify --ref HEAD --base base --profile code_default --only code:diff --only code:integrity --only code:counterfactual --only code:sensitivity --quiet > "$D/try-$row.log" 2>&1; grep -q lost_power "$D/try-$row.log"; tried=$?
  echo "row $row: lost_power $([ $tried = 0 ] && echo yes || echo no)"
  git reset -q --soft HEAD~1
  [ $tried != 0 ] && break
done
NOHOOK=1 step "Parcels of $row kg are rare"
sed -i "/if weight == $row /{n;s/ + zone/ - zone/}" shop/cart.py
LAST=1 step "Parcels of $row kg"
