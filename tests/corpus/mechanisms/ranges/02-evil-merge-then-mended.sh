# A merge of two good branches that breaks the code in the merge itself, mended by the next commit: who leaves merges out sees only good commits.
# rights: none
# expect: fail|error
# because: TEST_FAIL
. "$ATTACKS/common.sh"
make_project
good_work
git checkout -q -b side main && echo notes >NOTES.md && save 'Notes' && git checkout -q topic
if [ -z "${HONEST:-}" ]; then
    git merge -q --no-ff --no-commit side; break_code; save 'Merge side'
    mend_code; save 'Tidy up'
else
    git merge -q --no-ff -m 'Merge side' side
fi
judge
