# The rules are written as custom rules that can't be false; a custom rule is never planted, is "unproven", and the exit code is 0.
# rights: none
# expect: undecided|error|fail
# because: unproven
. "$ATTACKS/common.sh"
if [ -z "${HONEST:-}" ]; then PROFILE='{"code_default": {"rules": [{"id": "tests-pass", "expr": "artifacts[\"tests.json\"].failed >= 0", "message": "a test failed"}]}}'; fi
make_project
if [ -z "${HONEST:-}" ]; then honest_runner; fi
save
judge
