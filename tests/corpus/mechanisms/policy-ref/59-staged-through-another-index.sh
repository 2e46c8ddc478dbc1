# What the next commit holds is judged (--staged); the flags of the index say that the changed entries are only "intended to be added".
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; git add shop; loosen; git rm -q --cached config/verification.profiles.json; git add -N config/verification.profiles.json
else good_work; echo more >NOTES.md; git add --all; fi
cd "$TOP/repo"
clean gate verify --quiet --staged --policy-ref origin/main
