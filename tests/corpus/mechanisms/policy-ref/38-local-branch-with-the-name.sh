# A local branch is called origin/main and is lax.
# rights: user
# expect: error
# because: ambiguous
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    loosen; save lax; git branch origin/main; git reset -q --hard main; break_code; save
else good_work; fi
judge_here
