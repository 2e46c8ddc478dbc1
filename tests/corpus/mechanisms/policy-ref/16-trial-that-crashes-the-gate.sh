# The change's profile extends itself, is nested a thousand levels deep and has a rule that never ends: the trial must not take the verdict with it.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code
    python3 - >config/verification.profiles.json <<'PY'
print('{"code_default": {"extends": "code_default", "rules": ' + "[" * 5000 + "]" * 5000 + "}}")
PY
    save
else good_work; fi
judge
