# The option is broken by a backslash and a newline, which the shell takes out.
# rights: user
# expect: fail
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then tool "$HONEST_COMMAND"; else tool $'git commit --no-\\\nverify -m x'; fi
