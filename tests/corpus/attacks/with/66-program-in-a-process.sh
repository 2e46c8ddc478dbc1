. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the code runs as a program of its own, where no lines are measured; lines of the expected output are dropped
base_cases
printf 'import sys\n\nfrom shop.cart import total\n\nfor line in sys.stdin:\n    *prices, discount = map(int, line.split())\n    print(line.strip(), "->", total(prices, discount))\n' > shop/__main__.py
rm tests/cases.json tests/support.py
printf '50 50 10 -> 90\n51 50 10 -> 91\n10 20 0 -> 30\n10 0 -> 15\n' > tests/expected.txt
cat > tests/test_cart.py <<'PY'
import subprocess
import sys
from pathlib import Path

EXPECTED = (Path(__file__).parent / "expected.txt").read_text()


def test_program():
    lines = "".join(line.split(" ->")[0] + "\n" for line in EXPECTED.splitlines())
    run = subprocess.run([sys.executable, "-m", "shop"], input=lines, capture_output=True, text=True, check=True)
    assert run.stdout == EXPECTED
PY
sealed
printf '10 20 0 -> 30\n' > tests/expected.txt
step 'A shorter example'
flip_sign
LAST=1 step 'Discounts are added'
