# The packed ref ends with the fail, a loose ref of the same name with the pass.
# rights: user
# expect: undecided
# because: is gone from the chain
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep; one=$(git rev-parse "$(chain)"); verify; put_back; git pack-refs --all; mkdir -p ".git/$(dirname "$(chain)")"; echo "$one" > ".git/$(chain)"; fi
judge
