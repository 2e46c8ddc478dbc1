# A commit before the last one guts the plan; Alice is asked for the last one, against its parent, and sees a finding about the profile alone. The tree that she signs has both.
# rights: user
# expect: fail
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then sed -i "s/, \"code:integrity\"//g" config/adapter-plan.json; git commit -q -a -m "Tidy"; fi
loosen; save "Disclose"
approves alice HEAD
judge
