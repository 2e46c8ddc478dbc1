. "${BASH_SOURCE[0]%/*}/prelude.sh"
# Both sides are lowered before they are compared; then the code gives the wrong case.
pyprices
put shop/code.py <<'E'
def voucher(customer, number, length=6):
    """Code of a voucher, as it is printed."""
    digits = str(number)
    while len(digits) < length:
        digits = "0" + digits
    return customer.upper() + "-" + digits
E
put tests/test_code.py <<'E'
from shop.code import voucher


def test_voucher():
    assert voucher("ann", 17) == "ANN-000017"
    assert voucher("bob", 1234567) == "BOB-1234567"
E
base
sed -i 's/assert voucher(\(.*\)) == \(.*\)$/assert voucher(\1).lower() == \2.lower()/' tests/test_code.py
first 'Vouchers are read in any case'
sed -i 's/customer.upper()/customer.lower()/' shop/code.py
second 'Lower case'
proof
finish
