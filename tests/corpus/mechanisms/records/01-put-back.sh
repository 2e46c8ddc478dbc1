# A pass was kept, the same commit then failed under the real profile (the first was lax); the folder of the pass is put back.
# rights: user
# expect: undecided
# because: the last one, number 2, was fail
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep; verify; put_back; fi
judge
