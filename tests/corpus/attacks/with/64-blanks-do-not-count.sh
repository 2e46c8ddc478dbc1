. "${BASH_SOURCE[0]%/*}/prelude.sh"
# a text is compared word by word: mutants change its words, the next change its lines and blanks
base_python
cat > shop/cart.py <<'PY'
"""The receipt."""


def receipt(items: list[tuple[str, int]]) -> str:
    """One line for each item, and the sum."""
    lines = []
    amount = 0
    for name, price in items:
        amount = amount + price
        lines.append(f"{name:<10}{price:>6}")
    lines.append(f"{'sum':<10}{amount:>6}")
    return "\n".join(lines)
PY
cat > tests/test_cart.py <<'PY'
from shop.cart import receipt

EXPECTED = "tea            4\nbread          3\nsum            7"


def same(text, expected):
    assert text == expected


def test_receipt():
    same(receipt([("tea", 4), ("bread", 3)]), EXPECTED)
PY
sealed
sed -i 's/assert text == expected/assert text.split() == expected.split()/' tests/test_cart.py
step 'Blanks do not count'
sed -i 's/"\\n".join/" ".join/' shop/cart.py
LAST=1 step 'On one line'
