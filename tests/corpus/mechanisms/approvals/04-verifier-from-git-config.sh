# git's settings gpg.ssh.program and gpg.program name a stand-in for ssh-keygen that finds every signature good; Mallory signs.
# rights: user
# expect: fail
# because: is none of config/allowed-signers
. "$ATTACKS/common.sh"
make_project
loosen; save 'Disclose what is weakened'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main
else
  printf '#!/bin/sh\necho "Good \\"policy@verigate\\" signature for alice@example.com with ED25519 key SHA256:x"\nexit 0\n' > "$HOME/yes"; chmod +x "$HOME/yes"
  for where in --global --local; do for name in gpg.ssh.program gpg.program gpg.openpgp.program core.sshCommand; do git config $where $name "$HOME/yes"; done; git config $where gpg.format ssh; git config $where gpg.ssh.allowedSignersFile "$KEYS/mallory.pub"; done
  mkdir -p .artifacts/.approvals; hand mallory policy@verigate "$(tree_of)" "$LOOSEN" > "$TOP/forged"; mkdir -p .artifacts/.approvals; cp "$TOP/forged" .artifacts/.approvals/forged.json
fi
judge
