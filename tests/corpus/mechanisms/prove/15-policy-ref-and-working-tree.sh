# config/policy.json names a ref whose profile asks for nothing; verdicts use that, the proof looks at the strict profile here.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
git init -q --bare "$TOP/remote.git"; git remote add origin "$TOP/remote.git"
echo '{"policy_ref": "origin/policy"}' >config/policy.json; save
if [ -z "${HONEST:-}" ]; then
    git checkout -q -b policy; echo '{"code_default": {"tests_pass": false, "tests_min": 1, "allow_policy_change": true}}' >config/verification.profiles.json; save lax; git push -q origin policy; git checkout -q main
else git push -q origin main:policy; fi
git push -q origin main; git fetch -q
judge
