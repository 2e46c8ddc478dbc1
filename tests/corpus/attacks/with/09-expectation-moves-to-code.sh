. "${BASH_SOURCE[0]%/*}/prelude.sh"
# two changes: the first moves an expected value into a constant of the code, the second changes it with the code
base_python; sealed
sed -i '1a\\nSALE = 90' shop/cart.py
sed -i 's/== 90/== SALE/; s/import count/import SALE, count/' tests/test_cart.py
commit -m 'Name a number'
ci; cd "$D/repo"; git branch -f base HEAD
break_code; sed -i 's/SALE = 90/SALE = 110/' shop/cart.py
commit -m 'Change the discount'
ci
