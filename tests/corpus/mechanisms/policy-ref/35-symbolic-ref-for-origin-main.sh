# origin/main becomes a symbolic ref to the attacker's own branch; the person who fetches doesn't see it.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; loosen; save; git push -q origin topic; git symbolic-ref refs/remotes/origin/main refs/remotes/origin/topic
    git config remote.origin.fetch '+refs/heads/topic:refs/remotes/origin/topic'
else good_work; fi
judge_here
