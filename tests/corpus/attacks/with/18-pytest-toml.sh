. "${BASH_SOURCE[0]%/*}/prelude.sh"
# settings of pytest 9 in .pytest.toml take the place of pyproject.toml's, and leave a test out
base_python; sealed
break_code
printf '[pytest]\npythonpath = ["."]\naddopts = ["--deselect=tests/test_cart.py::test_total"]\n' > .pytest.toml
commit -m 'Settings of pytest 9'
ci
