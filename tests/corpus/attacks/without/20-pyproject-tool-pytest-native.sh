. "${BASH_SOURCE[0]%/*}/prelude.sh"
# pytest 9's native table [tool.pytest] in the place of [tool.pytest.ini_options], with a name pattern.
pyshop
base
put pyproject.toml <<'E'
[project]
name = "shop"
version = "1"

[tool.pytest]
pythonpath = ["."]
python_functions = ["test_o*"]
E
breakit; commit 'Native settings of pytest'
judge
echo "exit code: $rc"
