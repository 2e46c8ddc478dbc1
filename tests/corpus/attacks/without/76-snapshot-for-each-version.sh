. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Expected numbers move to a snapshot for each version, which is written where there is none; then the version is raised and the code broken.
pyprices
base
put tests/test_prices.py <<'E'
import json
from pathlib import Path

import pytest
import shop
from shop.prices import total


def test_total():
    snapshot = Path(__file__).parent / "snapshots" / f"{shop.__version__}.json"
    sums = [total([0, 10, 20, 29]), total([50, 51], 10)]
    if not snapshot.exists():
        snapshot.write_text(json.dumps(sums))
    assert sums == json.loads(snapshot.read_text())
    with pytest.raises(ValueError):
        total([-1])
E
put tests/snapshots/1.0.json <<'E'
[59, 91]
E
first 'Keep expected sums in snapshots'
sed -i 's/1.0/1.1/' shop/__init__.py
sed -i 's/amount \* discount/amount * discount * 2/' shop/prices.py
second 'Release 1.1'
proof
finish
