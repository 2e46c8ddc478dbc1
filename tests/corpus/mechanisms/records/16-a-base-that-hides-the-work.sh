# After the fail the task is verified again with a base that has the bad files already; `gate list` says pass, and of HEAD.
# rights: user
# expect: undecided|fail
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify; git commit -q --allow-empty -m x; echo y >> README.md; git commit -q -a -m y; git reset -q --soft HEAD~3; git commit -q -m "All of it"; verify
  side=$(git commit-tree -p HEAD~1 -m side "$(git rev-parse HEAD^{tree})"); echo z >> README.md; git commit -q -a --amend -m "All of it"; verify --base "$side"; fi
judge_list
