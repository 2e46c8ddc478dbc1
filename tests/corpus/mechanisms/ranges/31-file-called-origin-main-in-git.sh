# .git/origin/main, a file in the git folder, holds the id of the tip: git's first rule for short names.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then break_code; save 'Speed up'; mkdir -p .git/origin .git/refs/origin; git rev-parse HEAD | tee .git/origin/main >.git/refs/origin/main; else good_work; fi
cd "$TOP/repo"; git fetch -q
clean gate verify --quiet --range origin/main..HEAD --stage ci
