# git replace puts a lax profile in the place of the blob that main has.
# rights: user
# expect: fail
# because: TEST_FAIL
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; save
    lax=$(echo '{"code_default": {"tests_min": 0, "tests_pass": false, "allow_policy_change": true}}' | git hash-object -w --stdin)
    git replace "$(git rev-parse main:config/verification.profiles.json)" "$lax"
else good_work; fi
judge_here --profile code_default
