# origin/main is moved to the tip by hand; no fetch before the final call.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then break_code; save 'Speed up'; git update-ref refs/remotes/origin/main HEAD; else good_work; fi
cd "$TOP/repo"
clean gate verify --quiet --range origin/main..HEAD --stage ci
