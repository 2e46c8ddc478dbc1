. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the new code can't be imported without what the new conftest.py sets: HB = X, not comparable; the lie is in data
base_data; sealed
break_code; lie_data
sed -i '1a\\nimport os\n\nHOME = os.environ["SHOP_HOME"]' shop/cart.py
printf 'import os\n\nos.environ.setdefault("SHOP_HOME", "shop")\n' > tests/conftest.py
commit -m 'The shop has a home'
ci
