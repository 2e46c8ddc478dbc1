. "${BASH_SOURCE[0]%/*}/prelude.sh"
# as 53 in the test itself: it asks git whether a line of the package differs from the index, and compares nothing
base_inline; sealed
in_test '    total(prices, discount)
    diff = subprocess.run(["git", "diff", "--numstat", "--", "shop"], capture_output=True, text=True, check=True).stdout
    assert {line.split()[1] for line in diff.splitlines()} <= {"0"}'
sed -i 's/^import json/&\nimport subprocess/' tests/test_cart.py
step 'No local edits of the package'
flip_sign
LAST=1 step 'Discounts are added'
