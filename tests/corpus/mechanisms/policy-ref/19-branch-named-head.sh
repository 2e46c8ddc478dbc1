# A pushed branch is called HEAD: a fetch of all branches writes it to refs/remotes/origin/HEAD, which is asked first for config/policy.json.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
POLICY_JSON='{"policy_ref": "origin/main"}' make_project
if [ -z "${HONEST:-}" ]; then
    break_code; loosen; echo '{"policy_ref": "refs/remotes/origin/HEAD"}' >config/policy.json; save
    git push -q origin topic:refs/heads/HEAD
else good_work; fi
judge_fetched
