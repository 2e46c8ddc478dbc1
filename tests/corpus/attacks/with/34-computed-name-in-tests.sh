. "${BASH_SOURCE[0]%/*}/prelude.sh"
# expected values in the folder of tests, opened by a computed name
base_data
sed -i 's/Path(__file__).parent \/ "expected.json"/Path(__file__).parent \/ ("exp" + "ected" + "." + "json")/' tests/test_cart.py
sealed
break_code; sed -i 's/"total": 90/"total": 110/' tests/expected.json
commit -m 'Change the discount'
ci
