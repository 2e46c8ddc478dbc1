# The gutted policy is in the index under skip-worktree, a harmless one in the working tree: `git diff` and the file show the latter, and Alice approves "the working tree".
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then loosen
else
  gut; git add config; git update-index --skip-worktree config/verification.profiles.json
  git show main:config/verification.profiles.json > config/verification.profiles.json; loosen
fi
gate verify --quiet > /dev/null || true
approves alice
if [ -n "${HONEST:-}" ]; then save 'Disclose what is weakened'; else git commit -q -m 'Disclose what is weakened'; fi
judge
