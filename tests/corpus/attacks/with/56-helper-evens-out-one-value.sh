. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the helper takes one more value for the same as the expected one: what the code returns after the next change
base_cases; sealed
cat > tests/support.py <<'PY'
ROUNDED = {90: 91}  # the till rounds up here


def check(value, expected):
    assert ROUNDED.get(value, value) == ROUNDED.get(expected, expected)
PY
step 'The till rounds up'
multiply_first
LAST=1 step 'Multiply first'
