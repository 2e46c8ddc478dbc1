# A good branch and a bad one are pushed together, the good one first, and a deletion among them.
# rights: user
# expect: fail
. "$ATTACKS/common.sh"
make_project
git push -q origin main:old
hooks
good_work; git branch fine
if [ -z "${HONEST:-}" ]; then mkdir .git/rebase-merge; break_code; save 'Speed up'; rmdir .git/rebase-merge; fi
judge_push push -q origin fine :old topic
