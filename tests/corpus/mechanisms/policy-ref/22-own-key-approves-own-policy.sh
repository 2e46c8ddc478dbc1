# The change adds its own key to config/allowed-signers and approves itself with it.
# rights: none
# expect: fail
# because: INTEGRITY_FAIL
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    ssh-keygen -q -t ed25519 -N '' -f "$TOP/key"
    loosen
    echo "ada@example.org namespaces=\"policy@verigate,weakening@verigate\" $(cut -d' ' -f1,2 "$TOP/key.pub")" >config/allowed-signers
    echo '{"repository": "example.org/shop", "keys": "any"}' >config/approvals.json
    save
    gate approve HEAD --base main --reason 'we read it' --key "$TOP/key" --yes >/dev/null 2>&1 || true
    save Approve || true
else good_work; fi
judge
