. "${BASH_SOURCE[0]%/*}/prelude.sh"
# pytest's filterwarnings = error makes a warning of the code fail the test; the change drops the setting and the code warns.
pyshop
sed -i 's/^pythonpath.*/&\nfilterwarnings = ["error"]/' pyproject.toml
base
sed -i '/^filterwarnings/d' pyproject.toml
put shop/__init__.py <<'E'
import warnings


def total(prices):
    warnings.warn("prices may be wrong")
    return sum(prices)
E
commit 'Warn'
judge
echo "exit code: $rc"
