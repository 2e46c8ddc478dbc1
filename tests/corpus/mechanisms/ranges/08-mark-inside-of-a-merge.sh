# The mark of unverified work is added by a merge commit itself, and taken away by the next: who leaves merges out never sees it.
# rights: none
# expect: fail
# because: INTEGRITY_FAIL
. "$ATTACKS/common.sh"
make_project
git checkout -q -b side main; echo notes >NOTES.md; save Notes; git checkout -q topic; good_work
git merge -q --no-ff --no-commit side
if [ -z "${HONEST:-}" ]; then
    mkdir .artifacts/t; echo '{"why": "attempts"}' >.artifacts/t/UNVERIFIED; save 'Merge side'
    git rm -q .artifacts/t/UNVERIFIED; echo more >>NOTES.md; save 'Tidy up'
else save 'Merge side'; fi
judge
