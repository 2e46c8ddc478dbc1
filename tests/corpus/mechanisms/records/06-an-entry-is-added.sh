# Nothing is cut: a third entry, made with git commit-tree, says that the pass of entry 1 came last.
# rights: user
# expect: undecided
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep; verify; put_back
  first=$(git log --format=%B -1 "$(chain)~1" | sed "s/Verdict 1/Verdict 3/; s/\"number\": 1/\"number\": 3/")
  git update-ref "$(chain)" "$(printf "%s\n" "$first" | git commit-tree "$(git mktree < /dev/null)" -p "$(chain)")"; fi
judge
