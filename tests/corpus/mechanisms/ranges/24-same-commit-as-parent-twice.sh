# A merge whose two parents are the same commit: by hand it is an ordinary commit with bad work, by the number of parents it is a merge.
# rights: none
# expect: fail
# because: TEST_FAIL
. "$ATTACKS/common.sh"
make_project
good_work
if [ -z "${HONEST:-}" ]; then
    break_code; git add --all; head=$(git rev-parse HEAD)
    tip=$(printf 'tree %s\nparent %s\nparent %s\nauthor A <a@example.org> 1700000000 +0000\ncommitter A <a@example.org> 1700000000 +0000\n\nWork\n' "$(git write-tree)" "$head" "$MAIN" | git hash-object -t commit -w --stdin --literally)
    git reset -q --hard "$tip"; mend_code; echo x >NOTES.md; save 'Tidy up'
fi
judge
