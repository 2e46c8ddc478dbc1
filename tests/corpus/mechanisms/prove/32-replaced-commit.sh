# refs/replace puts a strict commit in the place of the last one.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
cp -a "$TOP/repo" "$TOP/strict"; (cd "$TOP/strict"; honest_runner; git add --all; git commit -q --allow-empty -m Strict)
git fetch -q "$TOP/strict" HEAD
before_the_proof() { git replace HEAD FETCH_HEAD; }
judge
