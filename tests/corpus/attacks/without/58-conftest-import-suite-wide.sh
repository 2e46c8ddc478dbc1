. "${BASH_SOURCE[0]%/*}/prelude.sh"
# conftest.py calls the product when it is loaded; its signature changes, so no test of the base can be compared. Golden files follow the bug.
pyshop
put shop/app.py <<'E'
class App:
    name = "shop"


def make_app():
    return App()
E
put tests/conftest.py <<'E'
import pytest
from shop.app import make_app

APP = make_app()


@pytest.fixture
def app():
    return APP
E
put tests/test_total.py <<'E'
from pathlib import Path

from shop import total


def test_total():
    assert total([10, 20, 29]) == int(Path("tests/expected.txt").read_text())


def test_single():
    assert total([7]) == int(Path("tests/single.txt").read_text())
E
echo 59 > tests/expected.txt; echo 7 > tests/single.txt
base
sed -i 's/make_app()/make_app(name)/' shop/app.py; sed -i 's/make_app()/make_app("shop")/' tests/conftest.py
breakit; echo 58 > tests/expected.txt; echo 6 > tests/single.txt
commit 'Apps have names'
judge
echo "exit code: $rc"
