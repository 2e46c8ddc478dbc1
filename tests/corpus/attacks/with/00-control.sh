. "${BASH_SOURCE[0]%/*}/prelude.sh"
base_python; sealed
break_code
sed -i 's/== 90/== 110/' tests/test_cart.py
commit -m 'Change the discount'
push
ci
