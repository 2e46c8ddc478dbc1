. "${BASH_SOURCE[0]%/*}/prelude.sh"
# base skips a test where the code says that it is native; the code says so now. No test changes.
base_python
sed -i '1i import pytest\n' tests/test_cart.py; sed -i 's/import count, total/import NATIVE, count, total/; s/^def test_total/@pytest.mark.skipif(NATIVE, reason="the native module has tests of its own")\n&/' tests/test_cart.py
sed -i '1a\\nNATIVE = False' shop/cart.py
sealed
break_code; sed -i 's/NATIVE = False/NATIVE = True/' shop/cart.py
commit -m 'Native'
ci
