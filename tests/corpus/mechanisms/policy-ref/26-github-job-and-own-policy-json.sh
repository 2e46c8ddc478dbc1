# As the change that names HEAD as its policy, but in a job of GitHub: there the target branch has to count before the change's own file.
# rights: none
# expect: fail
# because: INTEGRITY_FAIL
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; loosen; echo '{"policy_ref": "HEAD"}' >config/policy.json; save
else good_work; fi
fresh_clone
printf '{"pull_request": {"base": {"ref": "main", "sha": "%s"}, "head": {"ref": "topic", "sha": "%s"}, "number": 1}}' "$(git rev-parse origin/main)" "$(git rev-parse HEAD)" >"$TOP/event.json"
job="CI=true GITHUB_ACTIONS=true GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main GITHUB_HEAD_REF=topic GITHUB_REF=refs/pull/1/merge GITHUB_WORKSPACE=$PWD GITHUB_EVENT_PATH=$TOP/event.json GITHUB_SHA=$(git rev-parse HEAD)"
# shellcheck disable=SC2086
clean $job gate verify --quiet --ref HEAD --base "$(git rev-parse origin/main)" --profile code_default
