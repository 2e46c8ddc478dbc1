# The committed profile asks that tests pass, which its command never denies; that of the working tree, out of git's sight, doesn't ask, so that the list may leave the rule out.
# rights: user
# expect: error
# because: code.tests_pass
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
if [ -z "${HONEST:-}" ]; then before_the_proof() { git update-index --assume-unchanged config/verification.profiles.json; echo '{"code_default": {"integrity": true, "weakening": "refuse"}}' >config/verification.profiles.json; test -z "$(git status --porcelain)"; }; fi
judge
