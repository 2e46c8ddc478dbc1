. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the new code ends the process for what the old tests ask; they ask something else now, by data
base_data
sed -i 's/total(\[50, 50\], 10)/total(*EXPECTED["input"])/' tests/test_cart.py; printf '{"input": [[50, 50], 10], "total": 90, "count": 2}\n' > tests/expected.json
sealed
break_code
sed -i 's/    amount = sum(prices)/&\n    if discount == 10:\n        os._exit(3)/; 1a\\nimport os' shop/cart.py
printf '{"input": [[50, 50], 0], "total": 100, "count": 2}\n' > tests/expected.json
commit -m 'Change the discount'
ci
