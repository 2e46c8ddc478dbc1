. "${BASH_SOURCE[0]%/*}/prelude.sh"
# pytest.raises(ValueError) becomes raises(Exception): a raise that is gone is noticed, another error isn't.
pyprices
base
sed -i 's/pytest.raises(ValueError)/pytest.raises(Exception)/' tests/test_prices.py
first 'Any error will do'
sed -i 's/raise ValueError(price)/raise KeyError(price)/' shop/prices.py
second 'Use KeyError'
proof
finish
