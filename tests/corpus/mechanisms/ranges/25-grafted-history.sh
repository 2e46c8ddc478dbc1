# .git/info/grafts gives the tip main's commit as its parent: the bad commit between is no longer in the range.
# rights: user
# expect: fail
# because: TEST_FAIL
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then break_code; save 'Speed up'; mend_code; fi
good_work
if [ -z "${HONEST:-}" ]; then echo "$(git rev-parse HEAD) $MAIN" >.git/info/grafts; fi
judge_here
