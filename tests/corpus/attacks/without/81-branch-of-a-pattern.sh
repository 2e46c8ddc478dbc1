. "${BASH_SOURCE[0]%/*}/prelude.sh"
# An assertion about one branch of a regular expression is removed: variants of the whole pattern are noticed by what is left. Then the branch is broken.
pyprices
put shop/parse.py <<'E'
import re

AMOUNT = re.compile(r"(\d+)(?:[.,](\d\d))?")


def cents(text):
    """The amount in a text, in cents."""
    found = AMOUNT.fullmatch(text)
    if found is None:
        raise ValueError(text)
    return int(found[1]) * 100 + int(found[2] or 0)
E
put tests/test_parse.py <<'E'
import pytest
from shop.parse import cents


def test_cents():
    assert cents("19.05") == 1905
    assert cents("19,05") == 1905
    assert cents("7") == 700
    with pytest.raises(ValueError):
        cents("7.")
E
base
sed -i '/19,05/d' tests/test_parse.py
first 'One spelling is enough'
sed -i 's/\[\.,\]/[.]/' shop/parse.py
second 'Simpler pattern'
proof
finish
