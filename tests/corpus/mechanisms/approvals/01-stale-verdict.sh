# The gutted policy is verified once, then a harmless one is put into the working tree; Alice reads `git diff`, calls `gate approve`, and signs the tree of the last verdict.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
  gut; gate verify --quiet > /dev/null || true
  git checkout -q config
fi
loosen
[ -z "${HONEST:-}" ] || gate verify --quiet > /dev/null || true
approves alice
[ -n "${HONEST:-}" ] || gut
save 'Disclose what is weakened'
judge
