# .git/config maps the attacker's own branch to refs/remotes/origin/main, so that a fetch brings the lax policy there.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; loosen; save; git push -q origin topic; git config remote.origin.fetch '+refs/heads/topic:refs/remotes/origin/main'
else good_work; fi
judge_here
