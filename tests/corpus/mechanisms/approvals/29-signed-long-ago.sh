# An approval that was signed forty days ago says that it ends tomorrow: each moment by itself is all right.
# rights: none
# expect: fail
# because: it counts for more than 30 days
. "$ATTACKS/common.sh"
make_project
gut; save 'Less'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main; carry
else
  hand alice policy@verigate "$(tree_of)" "$GUT" '{"signed": -40, "expires": 1}' > "$TOP/forged"; mkdir -p .artifacts/.approvals; cp "$TOP/forged" .artifacts/.approvals/forged.json; carry
fi
judge_ci
