# The bad commit is the root of an unrelated history, mended there and merged: it has no parent to be compared with.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
good_work
if [ -z "${HONEST:-}" ]; then
    git checkout -q --orphan other; break_code; save 'Import'; mend_code; git checkout -q topic -- .; save 'Tidy up'
    git checkout -q topic; git merge -q --allow-unrelated-histories -s ours -m 'Merge other' other
fi
judge
