# The same, read by a program with `gate show --json`.
# rights: none
# expect: undecided
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; elsewhere; verify
else bad; gate verify --quiet --base HEAD~1 --profile lax > /dev/null; git add --force ".artifacts/$T"; git commit -q -m Evidence; elsewhere; fi
judge_json
