# The change's plan and profile leave the tests out, and the profile says that changes of policy are allowed.
# rights: none
# expect: fail
# because: INTEGRITY_FAIL
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; loosen
    echo '{"code": {"order": ["code:diff"], "required": ["code:diff"], "optional": []}}' >config/adapter-plan.json; save
else good_work; fi
judge
