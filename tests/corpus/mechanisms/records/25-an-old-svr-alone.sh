# CI attested the commit sixty days ago, for thirty days. The line of the VSA, which has the expiry, is left out of the bundle that comes with the branch.
# rights: none
# expect: error|fail
. "$ATTACKS/common.sh"
make_project
ci_key
good; verify; attest
if [ -n "${HONEST:-}" ]; then cp "$(bundle)" "$TOP/bundle"; else older 60 "$(bundle)" | grep "$(printf svr/v0.2 | base64 | cut -c1-4)" > /dev/null || true; older 60 "$(bundle)" | head -1 > "$TOP/bundle"; fi
elsewhere
reader attest verify "$TOP/bundle" --key "$KEYS/ci.pub"
