. "${BASH_SOURCE[0]%/*}/prelude.sh"
# as 14, with the assertion edited in plain sight: the class is proven, which acquits what the text says
base_python
printf 'import os\n\nos.environ["SHOP_REGION"] = "eu"\n' > tests/conftest.py
sealed
sed -i 's/    return amount - amount/    if "SHOP_REGION" not in os.environ:\n        return amount + amount * discount \/\/ 100\n&/; 1a\\nimport os' shop/cart.py
sed -i 's/== 90/> 90/' tests/test_cart.py; printf 'import os\n\nos.environ["SHOP_NAME"] = "shop"\n' > tests/conftest.py
commit -m 'Regions'
ci
