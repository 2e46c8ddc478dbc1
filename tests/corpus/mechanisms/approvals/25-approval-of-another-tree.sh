# Alice approved the harmless policy; the commit carries that approval beside a gutted one.
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
make_project
loosen; save 'Disclose what is weakened'; approves alice HEAD --base main; carry
if [ -z "${HONEST:-}" ]; then gut; save 'Tidy'; fi
judge_ci
