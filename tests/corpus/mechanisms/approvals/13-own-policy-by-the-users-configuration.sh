# The user's policy.json (which whatever runs with the user's rights can write) names a branch where Mallory's key counts.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
git branch keys main; git checkout -q keys; signer mallory policy@verigate > config/allowed-signers; git commit -q -a -m 'Keys'; git checkout -q topic
loosen; save 'Disclose what is weakened'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main
else
  mkdir -p "$HOME/.config/verigate"; echo "{ \"policy_refs\": { \"$PWD\": \"refs/heads/keys\" } }" > "$HOME/.config/verigate/policy.json"
  gate approve HEAD --base main --reason x --key "$KEYS/mallory" --yes > /dev/null 2>&1 || true
fi
judge
