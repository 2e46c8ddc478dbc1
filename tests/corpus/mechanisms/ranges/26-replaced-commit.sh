# git replace puts a good commit in the place of the bad one in the middle.
# rights: user
# expect: fail
# because: TEST_FAIL
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; save 'Speed up'; bad=$(git rev-parse HEAD); mend_code; good_work
    git replace "$bad" "$(git commit-tree "$(git rev-parse 'HEAD^{tree}')" -p "$MAIN" -m 'Speed up')"
else good_work; fi
judge_here
