# The proof runs under limits of the shell that let files end early: what can't be written may count as stopped.
# rights: user
# expect: error|undecided
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
if [ -z "${HONEST:-}" ]; then before_the_proof() { ulimit -f 4; }; fi
judge
