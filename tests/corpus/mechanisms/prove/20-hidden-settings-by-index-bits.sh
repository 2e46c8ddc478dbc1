# The strict profile of the working tree is hidden from git by assume-unchanged: the tree looks clean, the committed profile is lax.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    echo '{"code_default": {"tests_pass": false, "tests_min": 1}}' >config/verification.profiles.json; save
    git update-index --assume-unchanged config/verification.profiles.json; printf '%s\n' "$PROFILE" >config/verification.profiles.json
else save; fi
test -z "$(git status --porcelain)"
HONEST=1
judge
