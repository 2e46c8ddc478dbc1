# A task has the full id of a harmless commit for its name; `gate approve <id of the commit>` takes the task's verdict, which is of another tree.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
loosen; save 'Disclose what is weakened'; nice=$(git rev-parse HEAD)
if [ -z "${HONEST:-}" ]; then
  git checkout -q -b evil main; gut; save 'Evil'; bad=$(git rev-parse HEAD)
  git checkout -q main
  gate start "$nice" > /dev/null; git checkout -q evil
  gate verify "$nice" --ref "$bad" --base main --quiet > /dev/null || true
  rm -f .artifacts/current; git checkout -q topic
fi
approves alice "$nice"
[ -n "${HONEST:-}" ] || git checkout -q -B topic evil
judge
