# `gate -C . uninstall`: an option stands between the program and its command.
# rights: user
# expect: fail
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then tool "$HONEST_COMMAND"; else tool 'gate -C . uninstall'; fi
