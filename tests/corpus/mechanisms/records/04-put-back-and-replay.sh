# A pass is put back after a fail; the reader recomputes it with `gate replay`.
# rights: user
# expect: undecided
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep; verify; put_back; fi
reader replay "$T"
