# The change puts a folder config/policy.json/ in the place of the file: a reader that expects a file may take it for absent.
# rights: none
# expect: fail|error
# because: config/policy.json
. "$ATTACKS/common.sh"
POLICY_JSON='{"policy_ref": "origin/main"}' make_project
if [ -z "${HONEST:-}" ]; then
    break_code; loosen; rm config/policy.json; mkdir config/policy.json; echo '{"policy_ref": "HEAD"}' >config/policy.json/policy.json; save
else good_work; fi
judge_plain
