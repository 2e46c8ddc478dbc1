# main's config/policy.json names origin/main; the change deletes the file, so that policy is read from the subject.
# rights: none
# expect: fail
# because: INTEGRITY_FAIL
. "$ATTACKS/common.sh"
POLICY_JSON='{"policy_ref": "origin/main"}' make_project
if [ -z "${HONEST:-}" ]; then break_code; loosen; git rm -q config/policy.json; save; else good_work; fi
judge_plain
