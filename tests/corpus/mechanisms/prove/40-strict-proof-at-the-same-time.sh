# The same proof runs in a linked working tree with a strict command, before and at the same time: evidence or plants of one may be used for the other.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
cp -a "$TOP/repo" "$TOP/strict"; (cd "$TOP/strict"; honest_runner; git add --all; git commit -q --allow-empty -m Strict)
git fetch -q "$TOP/strict" HEAD; git worktree add -q --detach "$TOP/linked" FETCH_HEAD
before_the_proof() { (cd "$TOP/linked"; clean gate doctor --prove) >"$TOP/first.txt"; (cd "$TOP/linked"; clean gate doctor --prove >"$TOP/second.txt" 2>&1) & }
judge; code=$?; wait; exit "$code"
