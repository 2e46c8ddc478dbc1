# config/adapters.json of the change declares a command for the tests that always ends well.
# rights: none
# expect: fail
# because: TEST_FAIL
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code
    echo '{"code": {"tests": [{"name": "all", "command": ["true"], "format": "exit-code"}]}}' >config/adapters.json; save
else good_work; fi
judge
