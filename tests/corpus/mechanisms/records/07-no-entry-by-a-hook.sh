# A reference-transaction hook refuses each update of refs/verigate while the commit fails; then the pass is put back and the hook is gone.
# rights: user
# expect: undecided
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep
  printf "#!/bin/sh\n! grep -q refs/verigate\n" > .git/hooks/reference-transaction; chmod +x .git/hooks/reference-transaction
  verify; put_back; rm .git/hooks/reference-transaction; fi
judge
