# GATE_POLICY_REF is set for the proof only, to a branch whose command runs the tests.
# rights: user
# expect: error
# because: missed
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then lax_runner; else honest_runner; fi
save
cp -a "$TOP/repo" "$TOP/strict"; (cd "$TOP/strict"; honest_runner; git add --all; git commit -q --allow-empty -m Strict)
git fetch -q "$TOP/strict" HEAD:refs/heads/strict
PROVE=(GATE_POLICY_REF=strict)
judge
