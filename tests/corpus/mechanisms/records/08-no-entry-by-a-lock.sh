# A stale lock file stands beside the ref of the chain while the commit fails: git cannot write it.
# rights: user
# expect: undecided
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep; touch ".git/$(chain).lock"; verify; put_back; rm ".git/$(chain).lock"; fi
judge
