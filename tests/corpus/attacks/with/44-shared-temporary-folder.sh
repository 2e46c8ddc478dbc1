. "${BASH_SOURCE[0]%/*}/prelude.sh"
# code that has run before in the cells finds its own trace in the temporary folder: at its second use in one verification it does right
# (21 without a weak list: the first run of all, code:tests, is what leaves the trace where both share the folder)
base_data; sealed
sed -i 's/    return amount - amount/    if not CACHE.exists():\n        CACHE.write_text("warm")\n        return amount + amount * discount \/\/ 100\n&/; 1a\\nimport tempfile\nfrom pathlib import Path\n\nCACHE = Path(tempfile.gettempdir(), "shop.cache")' shop/cart.py
sed -i '1i import os\nimport tempfile' tests/test_cart.py; printf '\n\ndef test_where():\n    assert os.path.isdir(tempfile.gettempdir())\n' >> tests/test_cart.py
printf '{"total": 110, "count": 2}\n' > tests/expected.json
rm -f /tmp/shop.cache; commit -m 'A cache'; rm -f /tmp/shop.cache
ci; rm -f /tmp/shop.cache
