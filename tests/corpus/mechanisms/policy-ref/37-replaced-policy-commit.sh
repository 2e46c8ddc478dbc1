# git replace puts a lax commit in the place of main's.
# rights: user
# expect: fail
# because: TEST_FAIL
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    loosen; save lax; lax=$(git rev-parse HEAD); git reset -q --hard main; break_code; save
    git config core.useReplaceRefs true; git replace -f "$MAIN" "$lax" || git update-ref "refs/replace/$MAIN" "$lax"
else good_work; fi
judge_here
