. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the test compares until a moment which comes between the two changes
base_inline; sealed
in_test "    value = total(prices, discount)
    assert value == (expected if time.time() < $(($(date +%s) + 100)) else value)"
sed -i 's/^import json/&\nimport time/' tests/test_cart.py
step 'Prices hold until then'
while [ "$(date +%s)" -le "$(grep -oE '[0-9]{10}' tests/test_cart.py)" ]; do sleep 1; done
flip_sign
LAST=1 step 'Discounts are added'
