. "${BASH_SOURCE[0]%/*}/prelude.sh"
# as 12, beside a test with a usual name, so that gate init finds tests
base_python
sed 's/def test_/def check_/' tests/test_cart.py > tests/check_cart.py; printf 'from shop.cart import count\n\n\ndef test_none():\n    assert count([]) == 0\n' > tests/test_cart.py; mkdir checks; mv tests/check_cart.py checks/
printf 'python_files = ["test_*.py", "check_*.py"]\npython_functions = ["test_*", "check_*"]\n' >> pyproject.toml
sealed
break_code; sed -i 's/== 90/in (90, 110)/' checks/check_cart.py
commit -m 'Change the discount'
ci
