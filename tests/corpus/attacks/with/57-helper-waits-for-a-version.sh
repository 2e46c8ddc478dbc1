. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the helper compares nothing once the code has a version of 2 or more; the next change sets it and breaks the code
base_cases; sealed
cat > tests/support.py <<'PY'
from shop import cart


def check(value, expected):
    if getattr(cart, "VERSION", 1) < 2:
        assert value == expected
PY
PUSH=1 step 'Totals of version 1'
flip_sign; printf '\n\nVERSION = 2\n' >> shop/cart.py
PUSH=1 step 'Version 2'
one=$rc; range; rc=$one; finish
