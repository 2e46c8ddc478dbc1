# A failed task is taken out of the list: its folder and its chain are deleted.
# rights: user
# expect: undecided
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else good; verify; T=other; gate start other > /dev/null; bad; gate verify other --ref HEAD --quiet > /dev/null || true; rm -f .artifacts/current; rm -rf .artifacts/other; git update-ref -d refs/verigate/verdicts/other; git reset -q --hard HEAD~1; fi
judge_list
