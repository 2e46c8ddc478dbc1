# The change adds Mallory's key to config/allowed-signers and is approved by it.
# rights: none
# expect: fail
# because: is added by this very change
. "$ATTACKS/common.sh"
make_project
loosen; [ -n "${HONEST:-}" ] || signer mallory policy@verigate,weakening@verigate >> config/allowed-signers
save 'Disclose what is weakened'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main; carry
else
  hand mallory policy@verigate "$(tree_of)" "$(findings_of HEAD)" > "$TOP/forged"; mkdir -p .artifacts/.approvals; cp "$TOP/forged" .artifacts/.approvals/forged.json; carry
fi
judge_ci
