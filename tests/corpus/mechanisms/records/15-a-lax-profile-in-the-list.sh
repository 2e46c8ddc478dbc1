# After the fail the task is verified again by a profile that asks for nothing; `gate list` says pass.
# rights: user
# expect: undecided|fail
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify; verify --profile lax; fi
judge_list
