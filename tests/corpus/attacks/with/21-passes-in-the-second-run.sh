. "${BASH_SOURCE[0]%/*}/prelude.sh"
# the new code is wrong at its first use on a machine and right at the second (a cache in the home folder): HB differs between runs
base_data
sed -i 's/== EXPECTED\["total"\]/in EXPECTED["total"]/' tests/test_cart.py; sed -i 's/90/[90]/' tests/expected.json
sealed
sed -i 's/    return amount - amount/    if not CACHE.exists():\n        CACHE.write_text("warm")\n        return amount + amount * discount \/\/ 100\n&/; 1a\\nimport tempfile\nfrom pathlib import Path\n\nCACHE = Path(tempfile.gettempdir(), "shop.cache")' shop/cart.py
sed -i 's/\[90\]/[90, 110]/' tests/expected.json
rm -f /tmp/shop.cache
commit -m 'A cache'
ci
rm -f /tmp/shop.cache
