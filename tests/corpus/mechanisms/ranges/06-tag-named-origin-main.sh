# A pushed tag is called origin/main and points at the bad tip: git takes a tag before a branch of the remote, so the range is empty.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
echo one >NOTES.md; save Notes
if [ -z "${HONEST:-}" ]; then
    break_code; save 'Speed up'
    git tag origin/main && git push -q origin refs/tags/origin/main
fi
fresh_clone
clean gate verify --quiet --range origin/main..HEAD --stage ci
