# `gate approve` without an argument takes the current task: .artifacts/current is written to name one whose last verdict is of the gutted tree, after Alice verified the harmless change without a task.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
  gate start other --base main > /dev/null; gut; gate verify other --quiet > /dev/null || true; mv .artifacts/current "$TOP/current"; git checkout -q config
fi
loosen; gate verify --quiet > /dev/null || true      # Alice looks: a change of policy, as she expects
[ -n "${HONEST:-}" ] || mv "$TOP/current" .artifacts/current
approves alice
[ -n "${HONEST:-}" ] || { gut; rm -rf .artifacts/other .artifacts/current; git update-ref -d refs/verigate/verdicts/other; }
git add config && git commit -q -m "Disclose"
judge
