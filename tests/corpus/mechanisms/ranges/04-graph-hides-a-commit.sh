# A forged commit-graph gives the tip another parent: the walk of the range leaves out the bad commit between them.
# rights: user
# expect: fail|error
# because: TEST_FAIL
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; save 'Speed up'
    mend_code; good_work
    git commit-graph write --reachable
    python3 "$ATTACKS/graph.py" "$(git rev-parse HEAD)" "$MAIN"
else good_work; fi
judge_here
