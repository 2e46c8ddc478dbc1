# A first commit of the branch adds Mallory's key, the last one is approved by it: against its parent the key is in the base.
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then signer mallory policy@verigate,weakening@verigate >> config/allowed-signers; save 'One more key'; fi
loosen; save 'Disclose what is weakened'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main; carry
else
  hand mallory policy@verigate "$(tree_of)" "$LOOSEN" > "$TOP/forged"; mkdir -p .artifacts/.approvals; cp "$TOP/forged" .artifacts/.approvals/forged.json; carry
fi
judge_ci
