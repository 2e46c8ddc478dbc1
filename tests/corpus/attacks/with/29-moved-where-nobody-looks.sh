. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the test file moves to a folder that pytest doesn't enter (build)
base_python; printf 'from shop.cart import count\n\n\ndef test_none():\n    assert count([]) == 0\n' > tests/test_none.py
sealed
break_code; mkdir tests/build; git mv tests/test_cart.py tests/build/test_cart.py
commit -m 'Tests of the build'
ci
