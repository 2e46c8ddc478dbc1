# A linked working tree has a chain by the id of its folder in .git/worktrees: that folder is renamed after the fail, and with it the chain is another, empty one.
# rights: user
# expect: undecided
. "$ATTACKS/common.sh"
make_project
git worktree add -q ../wt -b work; cd ../wt
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep; verify; put_back
  mv ../shop/.git/worktrees/wt ../shop/.git/worktrees/tree2; echo "gitdir: $TOP/shop/.git/worktrees/tree2" > .git; git status > /dev/null; fi
judge
