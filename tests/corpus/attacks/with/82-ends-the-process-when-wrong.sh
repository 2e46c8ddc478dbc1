. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the test ends the process where a value is unknown, so that the run with a mutant has no report; the value of the next change is known
base_inline; sealed
in_test '    value = total(prices, discount)
    if value not in (expected, {90: 110, 91: 111, 50: 150}.get(expected)):
        os.abort()
    assert value in (expected, {90: 110, 91: 111, 50: 150}.get(expected))'
sed -i 's/^import json/&\nimport os/' tests/test_cart.py
step 'A core dump helps'
flip_sign
LAST=1 step 'Discounts are added'
