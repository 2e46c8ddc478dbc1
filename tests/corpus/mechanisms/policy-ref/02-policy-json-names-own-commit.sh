# An earlier commit of the branch holds a lax policy that allows changes of policy; the next puts the policy back and names that commit by its full id.
# rights: none
# expect: fail|error
# because: judges
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    loosen; save 'Try something'
    lax=$(git rev-parse HEAD)
    git checkout -q main -- config
    break_code; echo "{\"policy_ref\": \"$lax\"}" >config/policy.json; save
else good_work; fi
judge_plain
