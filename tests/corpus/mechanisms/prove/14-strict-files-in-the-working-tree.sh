# The committed profile asks for nothing; the working tree has a strict one that isn't committed. The proof may be about the one, and verdicts about the other.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    echo '{"code_default": {"tests_pass": false, "tests_min": 1}}' >config/verification.profiles.json; save
    git checkout -q -b violation; break_code; save Violation; clean gate verify --quiet --ref HEAD --base main; git checkout -q main
    printf '%s\n' "$PROFILE" >config/verification.profiles.json
else save; fi
HONEST=1
judge
