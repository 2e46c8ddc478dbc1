. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The assertions are put below "if the version is 1.0"; then the version is raised and the code broken.
pyprices
base
put tests/test_prices.py <<'E'
import pytest
import shop
from shop.prices import total


def test_total():
    if shop.__version__ == "1.0":
        assert total([0, 10, 20, 29]) == 59
        assert total([50, 51], 10) == 91
        with pytest.raises(ValueError):
            total([-1])
E
first 'Expect the sums of release 1.0'
sed -i 's/1.0/1.1/' shop/__init__.py
sed -i 's/amount \* discount/amount * discount * 2/' shop/prices.py
second 'Release 1.1'
proof
finish
