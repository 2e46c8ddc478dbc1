# The same; a release job attests HEAD with the key that only it has, and whoever admits the release verifies the attestation.
# rights: none
# expect: error|fail
. "$ATTACKS/common.sh"
make_project
ci_key
if [ -n "${HONEST:-}" ]; then good; elsewhere; verify
else bad; gate verify --quiet --base HEAD~1 --profile lax > /dev/null; git add --force ".artifacts/$T"; git commit -q -m Evidence; elsewhere; fi
attest "$T" --ref HEAD
reader attest verify --key "$KEYS/ci.pub" --ref HEAD
