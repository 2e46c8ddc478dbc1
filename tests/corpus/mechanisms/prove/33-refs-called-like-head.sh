# A tag and a branch called HEAD, refs/main and a file in .git of that name lead to a strict commit.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
cp -a "$TOP/repo" "$TOP/strict"; (cd "$TOP/strict"; honest_runner; git add --all; git commit -q --allow-empty -m Strict)
git fetch -q "$TOP/strict" HEAD; strict_one=$(git rev-parse FETCH_HEAD)
before_the_proof() { for name in refs/tags/HEAD refs/heads/HEAD refs/tags/main refs/main refs/heads/refs/heads/main; do git update-ref "$name" "$strict_one"; done; echo "$strict_one" >.git/main; }
judge
