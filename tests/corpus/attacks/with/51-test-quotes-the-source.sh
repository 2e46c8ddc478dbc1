. "${BASH_SOURCE[0]%/*}/prelude.sh"
# a test looks for its function's lines in the source instead of calling it; the next change inserts a line above them
base_python; sealed
sed -i 's/    assert total(\[50, 50\], 10) == 90/    lines = inspect.getsource(total)\n    assert "return amount - amount * discount \/\/ 100" in lines\n    assert "amount = sum(prices)" in lines/; 1iimport inspect\n' tests/test_cart.py
step 'Check the formula'
sed -i 's|^    amount = sum(prices)$|    discount = 0\n&|' shop/cart.py
LAST=1 step 'No discount this week'
