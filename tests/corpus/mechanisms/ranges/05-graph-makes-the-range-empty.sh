# A forged commit-graph makes the tip an ancestor of origin/main: the range has no commits left.
# rights: user
# expect: fail|error
# because: TEST_FAIL
. "$ATTACKS/common.sh"
make_project
echo one >NOTES.md; save Notes; git push -q origin topic:main; git fetch -q
if [ -z "${HONEST:-}" ]; then
    break_code; save 'Speed up'
    git commit-graph write --reachable
    python3 "$ATTACKS/graph.py" "$(git rev-parse HEAD~1)" "$(git rev-parse HEAD)"
else good_work; fi
judge_here
