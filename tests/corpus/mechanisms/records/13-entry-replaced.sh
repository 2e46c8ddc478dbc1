# git replace shows the entry of the pass in the place of the one of the fail.
# rights: user
# expect: undecided
# because: the last one, number 2, was fail
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep; verify; put_back; git replace "$(git rev-parse "$(chain)")" "$(git rev-parse "$(chain)~1")"; fi
judge
