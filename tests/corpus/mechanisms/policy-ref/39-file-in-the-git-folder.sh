# git's first rule for a short name is a file of that name in .git itself: .git/origin/main holds the id of a lax commit.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    loosen; save lax; mkdir .git/origin; git rev-parse HEAD >.git/origin/main; git reset -q --hard main; break_code; save
else good_work; fi
judge_here
