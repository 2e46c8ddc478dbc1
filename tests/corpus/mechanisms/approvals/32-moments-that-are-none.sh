# Alice's careless script signs moments that no calendar has (a 30th of February, second 60, year 0000 and 9999): a reader that compares texts finds them in order.
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
make_project
gut; save 'Less'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main; carry
else
  tree=$(tree_of); findings=$GUT; mkdir -p .artifacts/.approvals; number=0
  for moments in '{"signed": "2026-02-30T00:00:00Z", "expires": "9999-12-31T23:59:59Z"}' '{"signed": "0000-01-01T00:00:00Z", "expires": "9999-12-31T23:59:60Z"}' '{"signed": "9999-12-31T23:59:59Z", "expires": "0001-01-01T00:00:00Z"}' '{"signed": 7, "expires": -7}' '{"signed": "1970-01-01T00:00:00Z", "expires": "2026-13-01T00:00:00Z"}'; do
    number=$((number + 1)); hand alice policy@verigate "$tree" "$findings" "$moments" > .artifacts/.approvals/odd$number.json
  done; carry
fi
judge_ci
