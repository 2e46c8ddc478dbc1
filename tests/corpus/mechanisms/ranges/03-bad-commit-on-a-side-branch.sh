# The bad commit is on a side branch, mended there, and merged with --no-ff: who follows first parents never sees it.
# rights: none
# expect: fail|error
# because: TEST_FAIL
. "$ATTACKS/common.sh"
make_project
git checkout -q -b side
if [ -z "${HONEST:-}" ]; then break_code; save 'Speed up'; mend_code; fi
good_work
git checkout -q topic && git merge -q --no-ff -m 'Merge side' side
judge
