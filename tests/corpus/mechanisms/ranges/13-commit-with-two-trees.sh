# A commit object that was written by hand has two tree headers: git takes the first (bad), another reader may take the last (good).
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
good_work
if [ -z "${HONEST:-}" ]; then
    good=$(git rev-parse 'HEAD^{tree}'); break_code; git add --all; bad=$(git write-tree)
    tip=$(printf 'tree %s\ntree %s\nparent %s\nauthor A <a@example.org> 1700000000 +0000\ncommitter A <a@example.org> 1700000000 +0000\n\nWork\n' "$bad" "$good" "$(git rev-parse HEAD)" | git hash-object -t commit -w --stdin --literally)
    git reset -q --hard "$tip"
fi
judge
