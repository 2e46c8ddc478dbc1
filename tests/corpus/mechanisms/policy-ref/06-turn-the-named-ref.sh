# main's config/policy.json names origin/main; the change turns it to HEAD and loosens the profile.
# rights: none
# expect: fail
# because: INTEGRITY_FAIL
. "$ATTACKS/common.sh"
POLICY_JSON='{"policy_ref": "origin/main"}' make_project
if [ -z "${HONEST:-}" ]; then break_code; loosen; echo '{"policy_ref": "HEAD"}' >config/policy.json; save; else good_work; fi
judge_plain
