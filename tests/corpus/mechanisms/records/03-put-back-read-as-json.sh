# A pass is put back after a fail; the reader is a program that takes `gate show --json`.
# rights: user
# expect: undecided
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep; verify; put_back; fi
judge_json
