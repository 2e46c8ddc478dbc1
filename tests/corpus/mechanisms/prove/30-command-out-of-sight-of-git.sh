# The command in the working tree runs the tests and is marked skip-worktree; the committed one doesn't.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
before_the_proof() { git update-index --skip-worktree check.sh; echo "$strict" >check.sh; test -z "$(git status --porcelain)"; }
judge
