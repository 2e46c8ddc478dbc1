# Chain and witness are both set back to the pass.
# rights: user
# expect: undecided
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep; cp -a "$HOME/.local/state/verigate" "$TOP/state"; verify; put_back
  git update-ref "$(chain)" "$(chain)~1"; rm -rf "$HOME/.local/state/verigate"; cp -a "$TOP/state" "$HOME/.local/state/verigate"; fi
judge
