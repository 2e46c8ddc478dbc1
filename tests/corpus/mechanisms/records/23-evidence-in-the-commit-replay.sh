# The same, recomputed with `gate replay`.
# rights: none
# expect: undecided
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; elsewhere; verify
else bad; gate verify --quiet --base HEAD~1 --profile lax > /dev/null; git add --force ".artifacts/$T"; git commit -q -m Evidence; elsewhere; fi
reader replay "$T"
