# A commit has a mergetag and a gpgsig header whose lines look like tree and parent headers, and a message that looks like a list of commits.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
good_work
good=$(git rev-parse HEAD)
if [ -z "${HONEST:-}" ]; then
    break_code; git add --all; bad=$(git write-tree)
    tip=$(printf 'tree %s\nparent %s\nauthor A <a@example.org> 1700000000 +0000\ncommitter A <a@example.org> 1700000000 +0000\nencoding utf-16\nmergetag object %s\n tree %s\n parent %s\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n tree %s\n -----END PGP SIGNATURE-----\n\ncommit %s\ntree %s\nparent %s\n\n%s\n' "$bad" "$good" "$good" "$good" "$MAIN" "$(git rev-parse 'HEAD^{tree}')" "$good" "$(git rev-parse 'HEAD^{tree}')" "$MAIN" "$good" | git hash-object -t commit -w --stdin --literally)
    git reset -q --hard "$tip"; mend_code; save 'Tidy up'
fi
judge
