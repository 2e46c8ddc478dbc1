# The commit names a task whose commitment asks for a profile that only the change has.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code
    printf '{"code_default": {"extends": "code", "lint_errors_max": null}, "easy": {"tests_min": 0, "description": "easy"}}\n' >config/verification.profiles.json
    mkdir .artifacts/easy
    printf '{"task_id": "easy", "type": "code", "profile": "easy", "base": "%s"}\n' "$(git rev-parse main)" >.artifacts/easy/commitment.json
    printf '{"task_id": "easy", "claim": {"type": "code", "units": ["file:shop/total.py"]}}\n' >.artifacts/easy/claim.json
    git add --all && git commit -q -m 'Work' -m 'Gate-Task: easy'
else good_work; fi
judge
