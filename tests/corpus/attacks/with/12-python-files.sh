. "${BASH_SOURCE[0]%/*}/prelude.sh"
# tests with names of their own (python_files), which import no framework
base_python
mkdir checks; sed 's/def test_/def check_/' tests/test_cart.py > checks/check_cart.py; rm -r tests
printf 'testpaths = ["checks"]\npython_files = ["check_*.py"]\npython_functions = ["check_*"]\n' >> pyproject.toml
sealed
break_code; sed -i 's/== 90/in (90, 110)/' checks/check_cart.py
commit -m 'Change the discount'
ci
