# A tag `main` lies on a commit with Mallory's key: a short name is a tag before it is a branch, and the base says whose approvals count.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
git checkout -q --detach main; signer mallory policy@verigate,weakening@verigate > config/allowed-signers; git commit -q -a -m 'Keys'; keys=$(git rev-parse HEAD); git checkout -q topic
loosen; save 'Disclose what is weakened'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main
else
  git checkout -q -B topic "$keys"; loosen; save 'Disclose'
  hand mallory policy@verigate "$(tree_of)" "$(findings_of HEAD "$keys")" > "$TOP/forged"; mkdir -p .artifacts/.approvals; cp "$TOP/forged" .artifacts/.approvals/forged.json
  git tag main "$keys"
fi
judge
