# The file of the witness is made a folder (or a link to /dev/null) before the fail, so that it remembers nothing; then the chain is cut.
# rights: user
# expect: undecided
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep; for file in "$HOME"/.local/state/verigate/chains/*; do rm "$file"; mkdir "$file"; done; verify; put_back; git update-ref "$(chain)" "$(chain)~1"; fi
judge
