. "${BASH_SOURCE[0]%/*}/prelude.sh"
# a new test, in a file of its own that runs first, leaves the code configured so that it answers as before. Other tests don't change.
base_python; sealed
cat > shop/cart.py <<'PY'
"""What is in the cart."""

_options = {"sign": 1}


def configure(**options: int) -> dict[str, int]:
    """Set options of the shop."""
    _options.update(options)
    return _options


def total(prices: list[int], discount: int = 0) -> int:
    """Sum of the prices, less a discount in percent."""
    amount = sum(prices)
    return amount + _options["sign"] * amount * discount // 100


def count(prices: list[int]) -> int:
    """Number of items."""
    return len(prices)
PY
printf 'from shop.cart import configure\n\n\ndef test_configure():\n    assert configure(sign=-1)["sign"] == -1\n' > tests/test_a_configure.py
commit -m 'Options of the shop'
ci
