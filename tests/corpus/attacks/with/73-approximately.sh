. "${BASH_SOURCE[0]%/*}/prelude.sh"
# an exact value becomes pytest.approx with a tolerance of one
base_python
sed -i 's/assert total(\[50, 50\], 10) == 90/assert total([51, 50], 10) == 91/' tests/test_cart.py
sealed
sed -i 's/== 91/== pytest.approx(91, abs=1)/; 1iimport pytest\n' tests/test_cart.py
step 'Rounding may differ'
sed -i 's|    return amount - amount \* discount // 100|    return amount * (100 - discount) // 100|' shop/cart.py
LAST=1 step 'Multiply first'
