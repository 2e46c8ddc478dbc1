# Alice left, and her key is valid until yesterday; an approval is signed with it now.
# rights: none
# expect: fail
# because: approvals
. "$ATTACKS/common.sh"
make_project
end=$(date -u -d "$([ -n "${HONEST:-}" ] && echo "2 days" || echo "1 hour ago")" +%Y%m%d%H%M%SZ); git checkout -q main; echo "alice@example.com namespaces=\"policy@verigate\",valid-before=\"$end\" $(cut -d" " -f1,2 "$KEYS/alice.pub")" > config/allowed-signers; git commit -q -a -m Keys; git push -q origin main; git checkout -q -B topic main
gut; save; put alice "$GUT"; carry
export TZ=Pacific/Honolulu
judge_ci
