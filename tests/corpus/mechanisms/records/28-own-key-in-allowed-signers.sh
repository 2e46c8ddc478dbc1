# The bad commit is attested with an own key, whose line the branch adds to config/allowed-signers; the reader names no key.
# rights: none
# expect: error
. "$ATTACKS/common.sh"
make_project
before=1; ssh-keygen -q -t ed25519 -N "" -C "" -f "$KEYS/ci"; ssh-keygen -q -t ed25519 -N "" -C "" -f "$KEYS/own"
echo "ci namespaces=\"attest@verigate\" $(cat "$KEYS/ci.pub")" > config/allowed-signers; git add --all; git commit -q -m "Who may sign"; git branch reviewed
if [ -n "${HONEST:-}" ]; then good; verify; attest
else echo "me namespaces=\"attest@verigate\" $(cat "$KEYS/own.pub")" >> config/allowed-signers; bad; verify --profile lax --base HEAD; KEYS_=$KEYS; gate attest --key "$KEYS/own" > /dev/null; fi
cp "$(bundle)" "$TOP/bundle"; commit=$(git rev-parse HEAD); git checkout -q -b topic; git branch -f main reviewed; git symbolic-ref HEAD refs/heads/main; git reset -q --hard; elsewhere topic
reader attest verify "$TOP/bundle"
