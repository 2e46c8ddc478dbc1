# A local branch called origin/main is at the tip; the caller names no policy ref.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then break_code; save 'Speed up'; git update-ref refs/heads/origin/main HEAD; else good_work; fi
cd "$TOP/repo"; git fetch -q
clean gate verify --quiet --range origin/main..HEAD --stage ci
