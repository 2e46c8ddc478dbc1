# The bad commit is pushed as a tag, which a hook about branches might not look at; then as a branch, which is compared with what the remote has.
# rights: user
# expect: fail
. "$ATTACKS/common.sh"
make_project
hooks
if [ -z "${HONEST:-}" ]; then
    mkdir .git/rebase-merge; break_code; save 'Speed up'; rmdir .git/rebase-merge; git tag -m v1 v1
    git push -q origin v1 2>&1 || { echo "the tag was stopped"; exit 1; }
else good_work; fi
judge_push push -q origin topic
