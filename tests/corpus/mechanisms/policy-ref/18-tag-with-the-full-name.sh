# The caller names the ref in full; a pushed tag is called refs/remotes/origin/main, which git would find as refs/tags/refs/remotes/origin/main.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    loosen; save lax; git tag refs/remotes/origin/main; git push -q origin refs/tags/refs/remotes/origin/main; git reset -q --hard main; break_code; save
else good_work; fi
REF=refs/remotes/origin/main judge
