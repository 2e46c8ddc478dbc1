# Alice approves the commit that `git log --oneline` shows, by its short id; a tag of that name lies on the gutted one (git takes a name before an abbreviation).
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
loosen; save "Disclose"; nice=$(git rev-parse HEAD)
if [ -z "${HONEST:-}" ]; then git checkout -q -b evil main; gut; save "Evil"; git tag "${nice:0:10}" 2> /dev/null; git checkout -q topic; fi
approves alice "${nice:0:10}" 2> /dev/null
[ -n "${HONEST:-}" ] || git checkout -q evil
judge
