# Only keys in hardware count; the plain key of Alice, which was found in a backup, signs.
# rights: none
# expect: fail
# because: plain key
KINDS=hardware
. "$ATTACKS/common.sh"
make_project
gut; save
if [ -n "${HONEST:-}" ]; then git checkout -q -B topic main; echo "One more line." > notes.txt; save; else put alice "$GUT"; carry; fi
judge_ci
