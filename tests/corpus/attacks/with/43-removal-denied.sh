. "${BASH_SOURCE[0]%/*}/prelude.sh"
# as 32, where the message denies what it is taken to say
base_python; sealed
break_code
sed -i 's/def total(/def sum_up(/' shop/cart.py
cat > tests/test_cart.py <<'PY'
from shop.cart import count, sum_up


def test_sum_up():
    assert sum_up([50, 50], 10) > 0


def test_plain():
    assert sum_up([1, 2]) == 3


def test_count():
    assert count([1, 2]) == 2
PY
commit -m 'Add sum_up' -m 'Do not remove `total` before Monday, ask Ann.'
ci
