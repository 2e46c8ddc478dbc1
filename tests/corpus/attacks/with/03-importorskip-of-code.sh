. "${BASH_SOURCE[0]%/*}/prelude.sh"
# base skips tests where an optional module is missing; the change removes that module. No test changes.
base_python
printf 'import pytest\n\nfast = pytest.importorskip("shop.fast")\n\n\ndef test_fast_total():\n    from shop.cart import total\n    assert fast.total([50, 50], 10) == total([50, 50], 10) == 90\n' > tests/test_fast.py
printf 'from shop.cart import total\n' > shop/fast.py
sed -i '/def test_total/,+3d' tests/test_cart.py
sealed
break_code; sed -i '1i import shop_native  # noqa' shop/fast.py
commit -m 'The fast module is native'
ci
