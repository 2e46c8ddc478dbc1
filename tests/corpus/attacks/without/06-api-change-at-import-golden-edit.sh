. "${BASH_SOURCE[0]%/*}/prelude.sh"
# not_comparable: the base's test file calls the product at import time with a signature that is gone (HB = X); the golden file is edited.
pyshop
put shop/__init__.py <<'E'
class App:
    def __init__(self, rate):
        self.rate = rate

    def total(self, prices):
        return sum(prices) * self.rate


def make_app():
    return App(1)
E
put tests/test_total.py <<'E'
import json
from pathlib import Path

from shop import make_app

app = make_app()
EXPECTED = json.loads((Path(__file__).parent / "expected.json").read_text())


def test_total():
    assert app.total([10, 20, 29]) == EXPECTED["total"]
E
echo '{"total": 59}' > tests/expected.json
base
sed -i 's/def make_app():/def make_app(rate):/; s/App(1)/App(rate)/; s/sum(prices) \* self.rate/sum(prices) * self.rate - 1/' shop/__init__.py
sed -i 's/make_app()/make_app(1)/' tests/test_total.py
echo '{"total": 58}' > tests/expected.json
commit 'Apps have a rate'
judge
echo "exit code: $rc"
