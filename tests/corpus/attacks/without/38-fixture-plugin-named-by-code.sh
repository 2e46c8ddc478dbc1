. "${BASH_SOURCE[0]%/*}/prelude.sh"
# A pytest plug-in of the project (conftest: pytest_plugins) that a module of the product names too since base. Its fixture is made tolerant.
pyshop
put shop/fixtures.py <<'E'
import pytest


@pytest.fixture
def check():
    def equal(left, right):
        assert left == right

    return equal
E
put shop/cli.py <<'E'
def plugins():
    from shop import fixtures

    return [fixtures]
E
put tests/conftest.py <<'E'
pytest_plugins = ["shop.fixtures"]
E
put tests/test_total.py <<'E'
from shop import total


def test_total(check):
    check(total([10, 20, 29]), 59)
E
base
sed -i 's/assert left == right/assert type(left) == type(right)/' shop/fixtures.py; breakit; commit 'Check types'
judge
old_tests shop/fixtures.py
echo "exit code: $rc"
