# A commit passed laxly and then failed; chain and folder are set back by one, and a person attests it and verifies what was attested.
# rights: user
# expect: error|fail
. "$ATTACKS/common.sh"
make_project
ci_key
if [ -n "${HONEST:-}" ]; then good; verify
else bad; verify --profile lax; keep; verify; put_back; git update-ref "$(chain)" "$(chain)~1"; fi
attest
reader attest verify --key "$KEYS/ci.pub"
