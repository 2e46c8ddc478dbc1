# Settings of pytest that .git/info/exclude hides run all tests; those that are committed run one.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    mkdir checks; printf 'def test_one():\n    assert 1 == 1\n' >checks/test_one.py
    printf '[tool.pytest.ini_options]\ntestpaths = ["checks"]\n' >pyproject.toml
fi
save
echo pytest.ini >>.git/info/exclude
before_the_proof() { printf '[pytest]\ntestpaths = tests\n' >pytest.ini; }
judge
