# While the commit fails, the ref of the chain is a symbolic ref to another name; afterwards it is an ordinary one again, with the pass on top.
# rights: user
# expect: undecided
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep; one=$(git rev-parse "$(chain)"); git update-ref refs/verigate/verdicts/other "$one"; git update-ref -d "$(chain)"
  git symbolic-ref "$(chain)" refs/verigate/verdicts/other; verify; put_back; git symbolic-ref -d "$(chain)" 2> /dev/null || true; git update-ref "$(chain)" "$one"; git update-ref -d refs/verigate/verdicts/other; fi
judge
