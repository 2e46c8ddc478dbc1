# The reader trusts `--key keys/ci.pub` of the repository; the branch puts its own public key there.
# rights: none
# expect: error|fail
. "$ATTACKS/common.sh"
make_project
mkdir keys; gate attest keygen "$KEYS/ci" > /dev/null; gate attest keygen "$KEYS/own" > /dev/null; cp "$KEYS/ci.pub" keys/; git add --all; git commit -q -m Keys; git branch reviewed
if [ -n "${HONEST:-}" ]; then good; verify; attest
else cp "$KEYS/own.pub" keys/ci.pub; bad; verify --profile lax; gate attest --key "$KEYS/own" > /dev/null; fi
cp "$(bundle)" "$TOP/bundle"; git checkout -q -b topic; git branch -f main reviewed; git symbolic-ref HEAD refs/heads/main; git reset -q --hard; elsewhere topic
reader attest verify "$TOP/bundle" --key keys/ci.pub
