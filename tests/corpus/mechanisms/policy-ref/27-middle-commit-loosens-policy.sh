# The first commit loosens policy and breaks the code, the second puts both back; each commit is to be judged by the ref's policy.
# rights: none
# expect: fail
# because: INTEGRITY_FAIL
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    break_code; loosen; save Work; git checkout -q main -- .; echo more >NOTES.md; save Notes
else good_work; fi
fresh_clone
clean gate verify --quiet --range origin/main..HEAD --policy-ref origin/main --stage ci
