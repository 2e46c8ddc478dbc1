# The commit passed by the lax profile and was attested; then it failed. The attestation was kept, and a person verifies it beside the chain that ends with the fail.
# rights: user
# expect: error|fail|undecided
. "$ATTACKS/common.sh"
make_project
ci_key
if [ -n "${HONEST:-}" ]; then good; verify; attest; cp "$(bundle)" "$TOP/bundle"
else bad; verify --profile lax; attest; cp "$(bundle)" "$TOP/bundle"; verify; fi
reader attest verify "$TOP/bundle" --key "$KEYS/ci.pub"
