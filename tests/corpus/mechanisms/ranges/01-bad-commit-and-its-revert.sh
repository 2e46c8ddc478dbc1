# A commit that breaks the code and its revert: the range has commits, but no difference from one end to the other.
# rights: none
# expect: fail|error
# because: TEST_FAIL
. "$ATTACKS/common.sh"
make_project
good_work
git push -q origin topic:main && git fetch -q
if [ -z "${HONEST:-}" ]; then
    break_code; save 'Speed up'
    git revert --no-edit HEAD >/dev/null
else echo more >README.md; save 'A readme'; fi
judge
