. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the code is one regular expression, in which nothing is mutated; rows of the table are dropped, then the expression is loosened
base_cases
printf '"""Codes of articles."""\n\nimport re\n\nCODE = re.compile(r"[A-Z]{2}[0-9]{4}")\n\n\ndef valid(code: str) -> bool:\n    """Whether it is one."""\n    return CODE.fullmatch(code) is not None\n' > shop/cart.py
printf '{"AB1234": true, "AB12345": false, "ab1234": false, "A11234": false, "": false}\n' > tests/cases.json
rm tests/support.py
cat > tests/test_cart.py <<'PY'
import json
from pathlib import Path

from shop.cart import valid

CASES = json.loads((Path(__file__).parent / "cases.json").read_text())


def test_codes():
    assert {code: valid(code) for code in CASES} == CASES
PY
sealed
printf '{"AB1234": true, "": false}\n' > tests/cases.json
step 'Two examples are enough'
sed -i 's/\[A-Z\]{2}\[0-9\]{4}/.+/' shop/cart.py
LAST=1 step 'Codes may be longer'
