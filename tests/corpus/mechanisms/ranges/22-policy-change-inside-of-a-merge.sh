# A merge commit itself loosens the policy and breaks the code; the next commit takes both back.
# rights: none
# expect: fail
# because: INTEGRITY_FAIL
. "$ATTACKS/common.sh"
make_project
git checkout -q -b side main; echo notes >NOTES.md; save Notes; git checkout -q topic; good_work
git merge -q --no-ff --no-commit side
if [ -z "${HONEST:-}" ]; then
    break_code; echo '{"code_default": {"tests_pass": false, "tests_min": 0}}' >config/verification.profiles.json; save 'Merge side'
    mend_code; git checkout -q main -- config; save 'Tidy up'
else save 'Merge side'; fi
judge
