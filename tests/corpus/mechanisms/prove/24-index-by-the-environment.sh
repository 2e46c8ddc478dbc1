# GIT_INDEX_FILE names an index with a strict command of the tests.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
cp -a "$TOP/repo" "$TOP/strict"; (cd "$TOP/strict"; honest_runner; git add --all; git commit -q --allow-empty -m Strict)
git fetch -q "$TOP/strict" HEAD; GIT_INDEX_FILE="$TOP/index" git read-tree FETCH_HEAD
PROVE=(GIT_INDEX_FILE="$TOP/index")
judge
