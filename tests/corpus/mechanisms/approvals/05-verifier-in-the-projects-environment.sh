# A stand-in for ssh-keygen lies where the project's tools are taken from: .venv, node_modules, ~/bin, ~/.local/bin.
# rights: user
# expect: fail
# because: is none of config/allowed-signers
before() { :; }
. "$ATTACKS/common.sh"
make_project
printf '.venv/\nnode_modules/\n' >> .git/info/exclude
loosen; save 'Disclose what is weakened'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main
else
  hand mallory policy@verigate "$(tree_of)" "$LOOSEN" > "$TOP/forged"; mkdir -p .artifacts/.approvals; cp "$TOP/forged" .artifacts/.approvals/forged.json
  python3 -m venv --without-pip .venv
  for where in .venv/bin node_modules/.bin "$HOME/bin" "$HOME/.local/bin"; do
    mkdir -p "$where"; printf '#!/bin/sh\ncase "$*" in *find-principals*) echo alice@example.com;; *) echo "Good \\"policy@verigate\\" signature for alice@example.com with ED25519 key SHA256:x";; esac\nexit 0\n' > "$where/ssh-keygen"; chmod +x "$where/ssh-keygen"
  done
fi
judge
