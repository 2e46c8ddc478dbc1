# The profile is there and asks for nothing: no rule misses a plant.
# rights: none
# expect: error|undecided
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then echo '{"code_default": {"tests_pass": false, "units_match": false, "integrity": false, "weakening": "allow", "allow_policy_change": true}}' >config/verification.profiles.json; fi
save
if [ -z "${HONEST:-}" ]; then HONEST=1; fi
judge
