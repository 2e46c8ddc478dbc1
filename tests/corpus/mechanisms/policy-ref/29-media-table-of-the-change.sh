# The change brings folders that shadow media specs and schemas of the shipped adapters.
# rights: none
# expect: fail
# because: TEST_FAIL
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; mkdir -p adapters/code/schemas schemas
    echo '{}' >adapters/code/schemas/tests.json; echo '{}' >schemas/tests.schema.json
    echo '{"specs": {"tests": {"media": "application/json"}}}' >adapters/code/media.json; save
else good_work; fi
judge
