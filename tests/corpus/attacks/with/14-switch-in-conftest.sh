. "${BASH_SOURCE[0]%/*}/prelude.sh"
# right or wrong depends on a variable that base's conftest.py sets and the new one doesn't: HB = P (kept), the lie is in data
base_data
printf 'import os\n\nos.environ["SHOP_REGION"] = "eu"\n' > tests/conftest.py
sealed
sed -i 's/    return amount - amount/    if "SHOP_REGION" not in os.environ:\n        return amount + amount * discount \/\/ 100\n&/; 1a\\nimport os' shop/cart.py
lie_data; printf 'import os\n\nos.environ["SHOP_NAME"] = "shop"\n' > tests/conftest.py
commit -m 'Regions'
ci
