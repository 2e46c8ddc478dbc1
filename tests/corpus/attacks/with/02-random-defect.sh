. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the new code is wrong every other time: HB isn't the same in each run, BB and HH are; the lie is in data (a list of what is fine)
base_data
sed -i 's/== EXPECTED\["total"\]/in EXPECTED["total"]/; ' tests/test_cart.py; sed -i 's/90/[90]/' tests/expected.json
sealed
sed -i 's/    return amount - amount/    if time.time_ns() \/\/ 1000 % 2:\n        return amount + amount * discount \/\/ 100\n    return amount - amount/; 1a\\nimport time' shop/cart.py
sed -i 's/\[90\]/[90, 110]/' tests/expected.json
commit -m 'Change the discount'
ci
