. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the same within one file: a test that is there already gets a line that leaves a file behind 
base_python
sed -i '1i import os\n' tests/test_cart.py
sed -i 's/^def test_total/def test_a_name():\n    assert os.name == "posix"\n\n\n&/' tests/test_cart.py
sealed
sed -i 's/    return amount - amount/    sign = int(os.environ.get("SHOP_SIGN", "1"))\n    return amount + sign * amount/; 1a\\nimport os' shop/cart.py
sed -i 's/    assert os.name == "posix"/    os.environ["SHOP_SIGN"] = "-1"\n&/' tests/test_cart.py
commit -m 'The sign can be set'
ci
