# Objects that no ref points to are taken away, again and again, while a proof runs; plants that are gone may count as stopped.
# rights: user
# expect: error|undecided
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
if [ -z "${HONEST:-}" ]; then
    before_the_proof() { touch "$TOP/started"; sleep 0.1; (for _ in $(seq 400); do find "$TOP/repo/.git/objects" -type f -newer "$TOP/started" -delete; sleep 0.02; done) >/dev/null 2>&1 & }
fi
judge
