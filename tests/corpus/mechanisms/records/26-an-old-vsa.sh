# CI attested the commit sixty days ago, for thirty days; the whole bundle is brought again.
# rights: none
# expect: error
# because: expired
. "$ATTACKS/common.sh"
make_project
ci_key
good; verify; attest
if [ -n "${HONEST:-}" ]; then cp "$(bundle)" "$TOP/bundle"; else older 60 "$(bundle)" > "$TOP/bundle"; fi
elsewhere
reader attest verify "$TOP/bundle" --key "$KEYS/ci.pub"
