# The base trusts a certificate authority for alice@example.com; Mallory has a certificate of it that names mallory, and one of Alice's that ended.
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
make_project
key ca; git checkout -q main; echo "alice@example.com cert-authority,namespaces=\"policy@verigate\" $(cut -d" " -f1,2 "$KEYS/ca.pub")" > config/allowed-signers; git commit -q -a -m Keys; git push -q origin main; git checkout -q -B topic main
gut; save
if [ -n "${HONEST:-}" ]; then ssh-keygen -q -s "$KEYS/ca" -I alice -n alice@example.com -V +1d "$KEYS/alice.pub"; cp "$KEYS/alice" "$KEYS/c"; cp "$KEYS/alice-cert.pub" "$KEYS/c-cert.pub"; said=$(hand c-cert.pub policy@verigate "$(tree_of)" "$GUT" || true)
else
  ssh-keygen -q -s "$KEYS/ca" -I mallory -n mallory@example.com -V +1d "$KEYS/mallory.pub"; ssh-keygen -q -s "$KEYS/ca" -I alice -n alice@example.com -V -2d:-1d "$KEYS/alice.pub"; fi
mkdir -p .artifacts/.approvals
for who in alice mallory; do [ ! -e "$KEYS/$who-cert.pub" ] || { cp "$KEYS/$who" "$KEYS/$who-cert"; hand "$who-cert.pub" policy@verigate "$(tree_of)" "$GUT" > ".artifacts/.approvals/$who.json"; }; done; carry
judge_ci
