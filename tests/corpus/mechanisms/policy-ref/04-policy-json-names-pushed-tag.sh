# A tag with a history of its own holds a lax policy; the change touches nothing but code and one new config/policy.json that names the tag.
# rights: user
# expect: fail|error
# because: judges
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    git checkout -q --orphan other && loosen && save 'Policy'
    git tag v0 && git push -q origin v0
    git checkout -q topic
    break_code; echo '{"policy_ref": "refs/tags/v0"}' >config/policy.json; save
else good_work; fi
judge_plain
