# The moment of signing lies two days ahead, so that it counts for 32 days from now.
# rights: none
# expect: fail
# because: clock
. "$ATTACKS/common.sh"
make_project
gut; save 'Less'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main; carry
else
  hand alice policy@verigate "$(tree_of)" "$GUT" '{"signed": 2, "expires": 32}' > "$TOP/forged"; mkdir -p .artifacts/.approvals; cp "$TOP/forged" .artifacts/.approvals/forged.json; carry
fi
judge_ci
