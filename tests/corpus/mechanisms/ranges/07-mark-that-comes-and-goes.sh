# A commit of unverified work carries the mark UNVERIFIED, the next takes it away again.
# rights: none
# expect: fail
# because: INTEGRITY_FAIL
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    mkdir .artifacts/t; echo '{"why": "attempts"}' >.artifacts/t/UNVERIFIED; save 'Unverified work'; git rm -q .artifacts/t/UNVERIFIED; echo x >NOTES.md; save 'Tidy up'
else good_work; fi
judge
