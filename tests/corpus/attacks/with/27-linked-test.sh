. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the test file is a link to a file outside of the tests that has no name of a test
base_python
mkdir spec; mv tests/test_cart.py spec/cart.py; ln -s ../spec/cart.py tests/test_cart.py
printf "from shop.cart import count\n\n\ndef test_none():\n    assert count([]) == 0\n" > tests/test_none.py
sealed
break_code; sed -i 's/== 90/in (90, 110)/' spec/cart.py
commit -m 'Change the discount'
ci
