# An approval of last week, found in an old clone, is brought again.
# rights: none
# expect: fail
# because: it expired at
. "$ATTACKS/common.sh"
make_project
gut; save 'Less'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main; carry
else
  hand alice policy@verigate "$(tree_of)" "$GUT" '{"signed": -8, "expires": -1}' > "$TOP/forged"; mkdir -p .artifacts/.approvals; cp "$TOP/forged" .artifacts/.approvals/forged.json; carry
fi
judge_ci
