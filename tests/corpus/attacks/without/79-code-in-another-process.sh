. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The tests start the program in a process of its own, so it isn't known which lines run; rows of the table are dropped, then the code is broken.
pyprices
put shop/__main__.py <<'E'
import sys

from shop.prices import total

print(total([int(a) for a in sys.argv[2:]], int(sys.argv[1])))
E
put tests/cases.json <<'E'
[[[0, 10, 20, 29], 0, 59], [[50, 51], 10, 91]]
E
rm tests/test_prices.py
put tests/test_command.py <<'E'
import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("prices,discount,expected", json.loads((HERE / "cases.json").read_text()))
def test_command(prices, discount, expected):
    command = [sys.executable, "-m", "shop", str(discount), *map(str, prices)]
    out = subprocess.run(command, cwd=HERE.parent, capture_output=True, text=True, check=True).stdout
    assert int(out) == expected
E
base
put tests/cases.json <<'E'
[[[0, 10, 20, 29], 0, 59]]
E
first 'Fewer rows'
sed -i 's/amount \* discount/amount * discount * 2/' shop/prices.py
second 'Double discount'
proof
finish
