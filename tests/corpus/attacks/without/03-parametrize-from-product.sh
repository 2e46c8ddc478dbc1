. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Rows of the test come from product code; the change empties the list.
pyshop
put shop/__init__.py <<'E'
CURRENCIES = ["EUR", "USD"]


def total(prices):
    return sum(prices)


def symbol(currency):
    return {"EUR": "€", "USD": "$"}[currency]
E
put tests/test_symbol.py <<'E'
import pytest
import shop


@pytest.mark.parametrize("currency", shop.CURRENCIES)
def test_symbol(currency):
    assert len(shop.symbol(currency)) == 1
    assert shop.total([10, 20, 29]) == 59
E
rm tests/test_total.py
base
sed -i 's/^CURRENCIES = .*/CURRENCIES = []/' shop/__init__.py; breakit; commit 'Currencies come from the bank now'
judge
echo "exit code: $rc"
