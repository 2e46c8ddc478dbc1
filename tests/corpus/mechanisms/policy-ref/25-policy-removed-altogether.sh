# The change deletes config/: no profile, no plan, nothing that asks.
# rights: none
# expect: fail
# because: INTEGRITY_FAIL
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then break_code; git rm -q -r config; save; else good_work; fi
judge
