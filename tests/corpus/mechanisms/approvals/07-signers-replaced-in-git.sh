# `git replace` puts a blob with Mallory's key, and a commit without the rules, in the place of the base's.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
loosen; save 'Disclose what is weakened'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main
else
  hand mallory policy@verigate "$(tree_of)" "$LOOSEN" > "$TOP/forged"; mkdir -p .artifacts/.approvals; cp "$TOP/forged" .artifacts/.approvals/forged.json
  new=$(signer alice policy@verigate,weakening@verigate mallory | git hash-object -w --stdin)
  git replace "$(git rev-parse main:config/allowed-signers)" "$new"
  git checkout -q --detach main; signer alice policy@verigate,weakening@verigate mallory > config/allowed-signers; git commit -q -a -m 'As it is'
  other=$(git rev-parse HEAD); git checkout -q topic -f; git replace "$(git rev-parse main)" "$other"
fi
judge
