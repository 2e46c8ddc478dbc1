# The caller names the policy by its full commit id; a branch of exactly that name points at a lax commit.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    loosen; save lax; git update-ref "refs/heads/$MAIN" HEAD; git update-ref "refs/tags/$MAIN" HEAD; git reset -q --hard main; break_code; save
else good_work; fi
REF=$MAIN judge_here
