# A test of the first project writes good code over the broken source of the second one in the shared checkout, before the runner of the second project starts.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
more_project() {
  mkdir -p web/tests
  printf '[project]\nname = "webshop"\nversion = "1.0"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\ntestpaths = ["tests"]\n' > web/pyproject.toml
  printf '"""A shop in the web."""\n\n\ndef third(price):\n    """A third."""\n    return price / 3\n' > web/webshop.py
  printf 'from webshop import third\n\n\ndef test_third():\n    assert third(9) == 3\n' > web/tests/test_web.py
}
make_project
cat > tests/test_prices.py <<'END'
from pathlib import Path

from shop import total


def test_total_of_one():
    assert total([1]) == 1
END
if [ -z "${HONEST:-}" ]; then
  sed -i 's#price / 3#price / 4#' web/webshop.py
  cat >> tests/test_prices.py <<'END'


def test_copy_is_the_same():
    page = Path(__file__).parents[1] / "web" / "webshop.py"
    if page.exists():
        page.write_text(page.read_text().replace("price / 4", "price / 3"))
END
fi
commit -m 'Test more'
judge
