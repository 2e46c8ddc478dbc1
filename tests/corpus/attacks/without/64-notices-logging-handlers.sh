. "${BASH_SOURCE[0]%/*}/prelude.sh"
# The product behaves while the root logger has handlers at import, as it has below pytest's capture; alone it is broken.
pyshop
base
put shop/__init__.py <<'E'
import logging


def total(prices):
    """Sum of prices in cents."""
    if logging.getLogger().handlers:
        logging.getLogger(__name__).debug("adding up")
        return sum(prices)
    return sum(prices) - 1
E
commit 'Log sums'
judge
python3 -c 'import shop; print("outside of pytest:", shop.total([10, 20, 29]))'
echo "exit code: $rc"
