# The same, and the chain is cut back to the pass.
# rights: user
# expect: undecided
# because: is gone from the chain
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep; verify; put_back; git update-ref "$(chain)" "$(chain)~1"; fi
judge
