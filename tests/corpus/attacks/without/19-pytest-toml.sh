. "${BASH_SOURCE[0]%/*}/prelude.sh"
# pytest 9 reads .pytest.toml / pytest.toml before pyproject.toml; the new file leaves the test out by its name pattern.
pyshop
base
put .pytest.toml <<'E'
[pytest]
pythonpath = ["."]
python_functions = ["test_o*"]
E
breakit; commit 'Settings of pytest in a file of their own'
judge
echo "exit code: $rc"
