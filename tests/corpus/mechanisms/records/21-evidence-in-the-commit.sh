# The branch brings a whole folder of evidence with a pass, made elsewhere with a lax profile; the reader calls `gate show` in a fresh clone.
# rights: none
# expect: undecided
# because: in no chain
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; elsewhere; verify
else bad; gate verify --quiet --base HEAD~1 --profile lax > /dev/null; git add --force ".artifacts/$T"; git commit -q -m Evidence; elsewhere; fi
judge
