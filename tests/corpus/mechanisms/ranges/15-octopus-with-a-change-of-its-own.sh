# An octopus merge of three branches holds the bad work itself, and the next commit mends it.
# rights: none
# expect: fail
# because: TEST_FAIL
. "$ATTACKS/common.sh"
make_project
good_work
for n in a b; do git checkout -q -b "$n" main; echo "$n" >"$n.md"; save "Add $n"; done
git checkout -q topic; git merge -q --no-ff -m 'Merge a and b' a b
if [ -z "${HONEST:-}" ]; then
    break_code; git add --all; tip=$(git commit-tree "$(git write-tree)" -p HEAD^1 -p a -p b -m 'Merge a and b'); git reset -q --hard "$tip"; mend_code; save 'Tidy up'
fi
judge
