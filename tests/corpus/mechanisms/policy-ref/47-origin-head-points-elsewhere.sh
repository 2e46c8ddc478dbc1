# refs/remotes/origin/HEAD is asked first for config/policy.json; it is pointed at the attacker's own pushed branch, which a fetch doesn't mend.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
POLICY_JSON='{"policy_ref": "origin/main"}' make_project
if [ -z "${HONEST:-}" ]; then
    break_code; loosen; echo '{"policy_ref": "origin/topic"}' >config/policy.json; save
    git push -q origin topic; git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/topic
else good_work; fi
git fetch -q origin
clean gate verify --quiet --ref HEAD --base "$MAIN" --profile code_default
