. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The assertions count until a moment that comes soon (here in minutes, elsewhere in weeks); then the code is broken.
pyprices
base
moment=$(date -u -d '+170 seconds' +%Y-%m-%dT%H:%M:%S+00:00)
put tests/test_prices.py <<E
from datetime import datetime, timezone

import pytest
from shop.prices import total

LAST_DAY = datetime.fromisoformat("$moment")


def test_total():
    if datetime.now(timezone.utc) < LAST_DAY:
        assert total([0, 10, 20, 29]) == 59
        assert total([50, 51], 10) == 91
        with pytest.raises(ValueError):
            total([-1])
E
first 'The sums of this campaign'
while [ "$(date +%s)" -lt "$(date -d "$moment" +%s)" ]; do sleep 1; done
sed -i 's/amount \* discount/amount * discount * 2/' shop/prices.py
second 'Double discount'
proof
finish
