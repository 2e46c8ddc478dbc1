# Pass, attested; fail; the chain is cut to nothing. The VSA names its entry in the chain, so its line is taken out of the bundle: the SVR names none.
# rights: user
# expect: error|fail
. "$ATTACKS/common.sh"
make_project
ci_key
if [ -n "${HONEST:-}" ]; then good; verify; attest; cp "$(bundle)" "$TOP/bundle"
else bad; verify --profile lax; attest; head -1 "$(bundle)" > "$TOP/bundle"; git update-ref -d "$(chain)"; verify; fi
reader attest verify "$TOP/bundle" --key "$KEYS/ci.pub"
