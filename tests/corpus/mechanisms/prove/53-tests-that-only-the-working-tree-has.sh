# One trivial folder runs, and in the working tree alone its file has the most tests: it is where the failing test may be planted.
# rights: user
# expect: error|undecided
# because: tests/test_total.py
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    mkdir checks; printf 'def test_one():\n    assert 1 == 1\n' >checks/test_one.py
    printf '[pytest]\ntestpaths = checks\n' >pytest.ini
fi
save
if [ -z "${HONEST:-}" ]; then before_the_proof() { git update-index --skip-worktree checks/test_one.py; for n in 2 3 4 5; do printf '\n\ndef test_%s():\n    assert 1 == 1\n' "$n" >>checks/test_one.py; done; }; fi
judge
