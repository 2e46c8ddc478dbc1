. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The compared type's equality is product code: the change makes it ignore the amount (compare=False).
pyshop
put shop/__init__.py <<'E'
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Money:
    amount: int
    currency: str = "EUR"
    note: str = field(default="", compare=False)


def total(prices):
    return Money(sum(prices))
E
put tests/test_total.py <<'E'
from shop import Money, total


def test_total():
    assert total([10, 20, 29]) == Money(59)
E
base
sed -i 's/    amount: int/    amount: int = field(compare=False)/; s/sum(prices))/sum(prices) - 1)/' shop/__init__.py; commit 'Money is equal by currency'
judge
echo "exit code: $rc"
