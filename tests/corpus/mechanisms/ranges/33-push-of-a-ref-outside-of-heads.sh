# The bad commit is pushed to refs/notes/x first, then as a new branch.
# rights: user
# expect: fail
. "$ATTACKS/common.sh"
make_project
hooks
if [ -z "${HONEST:-}" ]; then
    mkdir .git/rebase-merge; break_code; save 'Speed up'; rmdir .git/rebase-merge
    git push -q origin HEAD:refs/notes/x 2>&1 || { echo "the ref was stopped"; exit 1; }
else good_work; fi
judge_push push -q origin topic
