# A strict command is staged and not committed; the working tree has the lax one.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
before_the_proof() { cp check.sh "$TOP/lax"; echo "$strict" >check.sh; git add check.sh; cp "$TOP/lax" check.sh; }
judge
