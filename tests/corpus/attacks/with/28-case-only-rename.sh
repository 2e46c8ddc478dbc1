. "${BASH_SOURCE[0]%/*}/prelude.sh"
# a rename by case alone takes the file out of pytest's patterns
base_python; cp tests/test_cart.py tests/test_more.py; sed -i '/def test_total/,+3d' tests/test_more.py; sed -i 's/_plain/_plain_more/;s/test_count/test_count_more/' tests/test_more.py
sealed
break_code; git mv tests/test_cart.py tests/Test_cart.py
commit -m 'A name'
ci
