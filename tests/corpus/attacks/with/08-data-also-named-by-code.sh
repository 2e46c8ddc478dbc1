. "${BASH_SOURCE[0]%/*}/prelude.sh"
# two changes: the first makes the code name the file of expected values, the second changes code and file
base_data
mkdir data; mv tests/expected.json data/expected.json
sed -i 's|Path(__file__).parent / "expected.json"|Path(__file__).parents[1] / "data" / "expected.json"|' tests/test_cart.py
sealed
sed -i '1a\\nSAMPLES = "data/expected.json"' shop/cart.py
commit -m 'Where samples are'
ci; cd "$D/repo"; git branch -f base HEAD
break_code; sed -i 's/"total": 90/"total": 110/' data/expected.json
commit -m 'Change the discount'
ci
