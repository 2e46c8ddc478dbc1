# Alice's approval is revoked in the trusted policy by its id; its copy comes with other indents, an armour of other lines, and an ECDSA signature turned to its twin (s to n-s).
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
make_project
rm -f "$KEYS"/alice*; key alice ecdsa; git checkout -q main; { signer alice policy@verigate,weakening@verigate; } > config/allowed-signers; git commit -q -a -m Keys; git push -q origin main; git checkout -q -B topic main
gut; save Less; said=$(hand alice policy@verigate "$(tree_of)" "$GUT"); mkdir -p .artifacts/.approvals
printf "%s" "$said" > "$TOP/said.json"; id=$(python3 - "$TOP/said.json" <<P
import hashlib, json, sys
d = json.load(open(sys.argv[1])); d.pop("signature"); print(hashlib.sha256(json.dumps(d, sort_keys=True, separators=(",", ":")).encode()).hexdigest())
P
)
if [ -n "${HONEST:-}" ]; then cp "$TOP/said.json" .artifacts/.approvals/a.json
else
  # the policy branch revokes it; the approved commit is not rebased, so the tree and the finding stay as they were
  git checkout -q -b policy main; sed -i "s/ }$/, \"revoked\": [\"$id\"] }/" config/approvals.json; git commit -q -a -m Revoke; git push -q origin policy; git checkout -q topic
  mkdir -p .artifacts/.approvals; python3 "$ATTACKS/twin.py" "$TOP/said.json" > .artifacts/.approvals/a.json
fi
carry
judge_ci() { git push -q -f origin HEAD:refs/heads/topic; cd "$TOP"; mkdir -p home2; export HOME=$TOP/home2; git clone -q remote.git ci 2> /dev/null; cd ci; git checkout -q topic
  gate verify --ref HEAD --base refs/remotes/origin/main --policy-ref "refs/remotes/origin/$([ -n "${HONEST:-}" ] && echo main || echo policy)" --stage ci --profile code_default --quiet; }
judge_ci
