# The change adds a config/policy.json that names HEAD: the subject is then its own policy, and every policy file in it "has landed".
# rights: none
# expect: fail|error
# because: judges
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; loosen; echo '{"policy_ref": "HEAD"}' >config/policy.json; save
else good_work; fi
judge_plain
