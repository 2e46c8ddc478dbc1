. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Exact numbers become approx(…, abs=0.9): whatever is varied is off by one or more; then the code loses half a cent.
pyprices
base
sed -i 's/== 59/== pytest.approx(59, abs=0.9)/; s/== 91/== pytest.approx(91, abs=0.9)/' tests/test_prices.py
first 'Allow for rounding'
sed -i 's|amount \* discount // 100|amount * discount / 100 - 0.5|' shop/prices.py
second 'Divide exactly'
proof
finish
