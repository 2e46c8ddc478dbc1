# .git/shallow says that the tip has no parents that are here: the walk ends before the bad commit.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then break_code; save 'Speed up'; mend_code; fi
good_work
if [ -z "${HONEST:-}" ]; then git rev-parse HEAD >.git/shallow; fi
judge_here
