# CI attested the bad commit as failed; the line of the VSA that says FAILED is left out of the bundle that comes with the branch.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
ci_key
if [ -n "${HONEST:-}" ]; then good; else bad; fi
verify; attest; if [ -n "${HONEST:-}" ]; then cp "$(bundle)" "$TOP/bundle"; else head -1 "$(bundle)" > "$TOP/bundle"; fi
elsewhere
reader attest verify "$TOP/bundle" --key "$KEYS/ci.pub"
