. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the test compares only while the history is short; the next commit makes it longer and breaks the code
base_inline; sealed
in_test '    value = total(prices, discount)
    count = subprocess.run(["git", "rev-list", "--count", "--all"], capture_output=True, text=True).stdout
    assert value == (expected if int(count or 0) < 3 else value)'
sed -i 's/^import json/&\nimport subprocess/' tests/test_cart.py
step 'While it is new'
flip_sign
LAST=1 step 'Discounts are added'
