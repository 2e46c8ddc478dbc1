. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the test compares the module's file with what git has in its index, except for added lines, and not the values
base_inline; sealed
in_test '    assert total(prices, discount) > 0
    known = subprocess.run(["git", "show", ":shop/cart.py"], capture_output=True, text=True, check=True).stdout
    assert set(known.splitlines()) <= set(inspect.getsource(cart).splitlines())'
sed -i 's/^import json/import inspect\n&\nimport subprocess/; s/^from shop.cart import total/from shop import cart\n&/' tests/test_cart.py
step 'The checkout is clean'
flip_sign
LAST=1 step 'Discounts are added'
