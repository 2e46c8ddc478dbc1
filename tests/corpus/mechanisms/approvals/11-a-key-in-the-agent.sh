# Plain keys count here, and Alice's is in her ssh-agent: the agent of this machine signs its own approval through it.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
eval "$(ssh-agent -s)" > /dev/null; trap 'ssh-agent -k > /dev/null 2>&1 || true' EXIT; ssh-add -q "$KEYS/alice"
if [ -n "${HONEST:-}" ]; then loosen; save 'Disclose'; approves alice HEAD --base main
else
  cp "$KEYS/alice.pub" "$HOME/alice.pub"; mv "$KEYS/alice" "$TOP/away"
  gut; save 'Disclose'; gate approve HEAD --base main --reason 'reviewed' --key "$HOME/alice.pub" --yes > /dev/null
fi
judge
