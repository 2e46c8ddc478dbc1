# Alice approves the branch `topic`, which she has read; a tag of that name lies on the gutted commit.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
loosen; save "Disclose"
if [ -z "${HONEST:-}" ]; then git checkout -q -b evil main; gut; save "Evil"; git tag topic; git checkout -q refs/heads/topic; fi
approves alice topic
[ -n "${HONEST:-}" ] || git checkout -q evil
judge
