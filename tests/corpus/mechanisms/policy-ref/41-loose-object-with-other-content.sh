# The blob of the profile in .git/objects is overwritten with that of a lax one.
# rights: user
# expect: error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; save
    id=$(git rev-parse main:config/verification.profiles.json); lax=$(echo '{"code_default": {"tests_min": 0, "tests_pass": false}}' | git hash-object -w --stdin)
    chmod u+w ".git/objects/${id:0:2}/${id:2}"; cp ".git/objects/${lax:0:2}/${lax:2}" ".git/objects/${id:0:2}/${id:2}"
else good_work; fi
judge_here
