# A tag with the name of the policy ref points at a lax policy; git takes tags before branches of a remote.
# rights: user
# expect: error
# because: ambiguous
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    loosen; save lax; git tag origin/main; git push -q origin refs/tags/origin/main; git reset -q --hard main; break_code; save
else good_work; fi
judge
