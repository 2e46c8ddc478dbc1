# GIT_DIR and GIT_WORK_TREE name another repository, whose tests are run; the proof may be about that one.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
cp -a "$TOP/repo" "$TOP/strict"; (cd "$TOP/strict"; honest_runner; git add --all; git commit -q --allow-empty -m Strict)
PROVE=(GIT_DIR="$TOP/strict/.git" GIT_WORK_TREE="$TOP/strict")
judge
