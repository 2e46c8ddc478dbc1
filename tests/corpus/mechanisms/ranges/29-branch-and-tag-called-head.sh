# A branch and a tag are called HEAD and point at a good commit: who resolves HEAD by its short name may take them.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then git update-ref refs/heads/HEAD "$MAIN"; git update-ref refs/tags/HEAD "$MAIN"; break_code; save 'Speed up'; else good_work; fi
judge_here
