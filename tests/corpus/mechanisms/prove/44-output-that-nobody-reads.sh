# The proof writes to a full device: what was missed is never read, and the end may be 0.
# rights: user
# expect: error|undecided
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
if [ -z "${HONEST:-}" ]; then before_the_proof() { exec >/dev/full; }; fi
judge
