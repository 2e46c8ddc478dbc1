. "${BASH_SOURCE[0]%/*}/prelude.sh"
# as 57 in the test itself: it compares as long as the code has no version of 2 or more
base_inline; sealed
in_test '    value = total(prices, discount)
    if getattr(cart, "VERSION", 1) > 1:
        expected = value
    assert value == expected'
sed -i 's/^from shop.cart import total/from shop import cart\n&/' tests/test_cart.py
step 'Totals of version 1'
flip_sign; printf '\n\nVERSION = 2\n' >> shop/cart.py
step 'Version 2'
one=$rc; range; rc=$one; finish
