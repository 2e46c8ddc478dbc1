# A task is called as the branch is; Alice calls `gate approve release` for the branch that she has read, and signs what the task was verified with.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
git checkout -q -b release; loosen; save 'Disclose what is weakened'
if [ -z "${HONEST:-}" ]; then
  git checkout -q -b evil main; gut; save 'Evil'
  gate start release --base main > /dev/null
  gate verify release --ref HEAD --base main --quiet > /dev/null || true
  rm -f .artifacts/current; git checkout -q release
fi
approves alice release
[ -n "${HONEST:-}" ] || git checkout -q evil
judge
