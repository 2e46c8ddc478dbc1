# core.worktree in .git/config leads the gate to a decoy folder with the harmless policy; what lies in this folder is gutted.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
final() { gate verify --quiet && { [ -n "${HONEST:-}" ] || grep -q required_artifacts config/verification.profiles.json; }; }
loosen; gate verify --quiet > /dev/null || true; approves alice
if [ -z "${HONEST:-}" ]; then
  mkdir "$TOP/decoy"; cp -a . "$TOP/decoy/"; rm -rf "$TOP/decoy/.git"; git config core.worktree "$TOP/decoy"; gut
fi
judge
