# pytest's own settings run one trivial folder; the plant breaks every test file, also the trivial one.
# rights: none
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    mkdir checks; printf 'def test_one():\n    assert 1 == 1\n' >checks/test_one.py; printf '[pytest]\ntestpaths = checks\n' >pytest.ini
fi
save
judge
