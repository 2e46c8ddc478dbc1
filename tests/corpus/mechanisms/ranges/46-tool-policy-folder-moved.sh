# The whole policy folder is replaced by a link: no word names a file in it.
# rights: user
# expect: fail
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then tool "$HONEST_COMMAND"; else tool 'mv config old && ln -s /tmp/lax config'; fi
