. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the test polls until the value is right, for minutes: mutants don't end and judge nobody; the value of the next change is right as well
base_inline; sealed
in_test '    end = time.monotonic() + 300
    close = {expected, {90: 110, 91: 111, 50: 150}.get(expected, expected)}
    while total(prices, discount) not in close and time.monotonic() < end:
        time.sleep(1)
    assert total(prices, discount) in close'
sed -i 's/^import json/&\nimport time/' tests/test_cart.py
step 'Wait for the value'
flip_sign
LAST=1 step 'Discounts are added'
