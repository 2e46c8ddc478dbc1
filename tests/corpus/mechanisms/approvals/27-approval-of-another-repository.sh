# The same files lie in another repository of the company, where Alice's key approved the same tree: the approval is copied.
# rights: none
# expect: fail
# because: it is for the repository
. "$ATTACKS/common.sh"
make_project
gut; save 'Less'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main; carry
else
  hand alice policy@verigate "$(tree_of)" "$GUT" '{"repository": "github.com/owner/playground"}' > "$TOP/forged"; mkdir -p .artifacts/.approvals; cp "$TOP/forged" .artifacts/.approvals/forged.json; carry
fi
judge_ci
