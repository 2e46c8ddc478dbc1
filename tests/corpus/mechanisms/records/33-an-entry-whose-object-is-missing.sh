# The object of the fail is deleted, and the repository called a partial clone, so that missing objects are nothing special.
# rights: user
# expect: undecided|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep; verify; put_back; gone=$(git rev-parse "$(chain)"); rm -f ".git/objects/${gone:0:2}/${gone:2}"; git config extensions.partialClone origin; git config remote.origin.promisor true; git config remote.origin.url "$TOP/nowhere"; fi
judge
