# git's second rule: refs/origin/main, which is neither a branch, a tag nor a remote's.
# rights: user
# expect: fail|error

. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    loosen; save lax; git update-ref refs/origin/main HEAD; git reset -q --hard main; break_code; save
else good_work; fi
judge_here
