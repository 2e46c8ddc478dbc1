# A shallow boundary at a forged entry 3 hides what came before it; its digest is that of the pass.
# rights: user
# expect: undecided
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep; verify; put_back
  text=$(git log --format=%B -1 "$(chain)~1" | sed "s/Verdict 1/Verdict 3/; s/\"number\": 1/\"number\": 3/"); gone=$(git rev-parse "$(chain)")
  new=$(printf "%s\n" "$text" | git commit-tree "$(git mktree < /dev/null)" -p "$gone"); git update-ref "$(chain)" "$new"; echo "$new" > .git/shallow; rm -f ".git/objects/${gone:0:2}/${gone:2}"; fi
judge
