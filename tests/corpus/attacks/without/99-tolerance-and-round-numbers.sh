. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Exact numbers become approx(…, abs=0.9), where no variant is off by less than one; then the code loses half a cent.
pyprices
sed -i 's/\[50, 51\], 10) == 91/[50, 50], 10) == 90/' tests/test_prices.py
base
sed -i 's/== 59/== pytest.approx(59, abs=0.9)/; s/== 90/== pytest.approx(90, abs=0.9)/' tests/test_prices.py
first 'Allow for rounding'
sed -i 's|amount \* discount // 100|amount * discount / 100 - 0.5|' shop/prices.py
second 'Divide exactly'
proof
finish
