# refs/remotes/origin/other is written by hand at the bad tip: the push of a new branch is compared with what the remote seems to have.
# rights: user
# expect: fail
. "$ATTACKS/common.sh"
make_project
hooks
if [ -z "${HONEST:-}" ]; then
    mkdir .git/rebase-merge; break_code; save 'Speed up'; rmdir .git/rebase-merge; git update-ref refs/remotes/origin/other HEAD
else good_work; fi
judge_push push -q origin topic
