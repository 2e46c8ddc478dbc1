# core.worktree of the repository's configuration leads to a strict folder.
# rights: user
# expect: error
# because: git takes
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
cp -a "$TOP/repo" "$TOP/strict"; (cd "$TOP/strict"; honest_runner; git add --all; git commit -q --allow-empty -m Strict)
before_the_proof() { git config core.worktree "$TOP/strict"; }
if [ -n "${HONEST:-}" ]; then unset -f before_the_proof; fi
judge
