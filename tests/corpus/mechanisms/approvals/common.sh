# A tiny project whose policy asks for integrity and refuses weakenings. Alice may approve both, Bob weakenings alone; Mallory is nobody.
# Keys lie in $KEYS, outside of the repository. What an attacker does with Alice's key is only what Alice herself would do.
TOP=$PWD; KEYS=$TOP/keys; mkdir -p "$KEYS"

key() { ssh-keygen -q -t "${2:-ed25519}" -N '' -C '' -f "$KEYS/$1"; }
signer() { echo "$1@example.com namespaces=\"$2\" $(cut -d' ' -f1,2 "$KEYS/${3:-$1}.pub")"; }   # signer NAME NAMESPACES [KEY]: a line of allowed-signers

make_project() {
  git init -q -b main shop && cd shop && mkdir config
  echo '{ "code": { "order": ["code:diff", "code:integrity"], "required": ["code:diff", "code:integrity"], "optional": [] } }' > config/adapter-plan.json
  echo '{ "code_default": { "integrity": true, "weakening": "refuse" } }' > config/verification.profiles.json
  echo "{ \"repository\": \"github.com/owner/shop\", \"keys\": \"${KINDS:-any}\"${MORE:-} }" > config/approvals.json
  key alice; key bob; key mallory
  { signer alice policy@verigate,weakening@verigate; signer bob weakening@verigate; } > config/allowed-signers
  printf 'def total(items):\n    return sum(items)\n' > shop.py
  printf 'from shop import total\n\n\ndef test_total():\n    assert total([2, 3]) == 5\n\n\ndef test_rate():\n    assert round(1.08, 1) == 1.1\n' > test_shop.py
  before_base
  git add --all && git commit -q -m 'As it is'
  git init -q --bare ../remote.git && git remote add origin ../remote.git && git push -q origin main && git remote set-head origin main
  git checkout -q -b topic
}
before_base() { :; }

loosen() { sed -i 's/refuse/disclose/' config/verification.profiles.json; }                 # what a person may well approve
gut() { echo '{ "code_default": { "required_artifacts": ["diff.json"] } }' > config/verification.profiles.json; }   # what nobody would
skip_test() { sed -i 's/^def test_rate/import pytest\n\n\n@pytest.mark.skip\n&/' test_shop.py; }
save() { git add --all && git commit -q -m "${1:-Work}"; }

# A person approves what is there, as docs/approvals.md says it.
approves() { local who=$1; shift; gate approve --reason 'we read this' --key "$KEYS/$who" --yes "$@" > "$TOP/approve.txt" 2>&1 || { cat "$TOP/approve.txt"; return 1; }; }
carry() { git add --force -- .artifacts/.approvals && git commit -q -m 'The approval'; }

# What the gate prints for these two changes of policy; the ids depend on both versions alone.
LOOSEN='["policy config/verification.profiles.json 998fd9445fac"]'
GUT='["policy config/verification.profiles.json b177d2fe8b18"]'

# put WHO FINDINGS [CHANGES] [NAMESPACE]: an approval by hand of HEAD's tree, as a file of .artifacts/.approvals
put() { local said; said=$(hand "$1" "${4:-policy@verigate}" "$(tree_of)" "$2" "${3:-{\}}"); mkdir -p .artifacts/.approvals; printf '%s\n' "$said" > ".artifacts/.approvals/by-$1.json"; }

# An approval by hand: hand WHO NAMESPACE TREE FINDINGS(JSON) [JSON that replaces members]; printed, signed with WHO's key.
hand() { python3 "$ATTACKS/hand.py" "$KEYS/$1" "$2" "$3" "$4" "${5:-{\}}"; }
tree_of() { git rev-parse "${1:-HEAD}^{tree}"; }     # only where .artifacts isn't in the commit
findings_of() {  # the findings that the gate would ask an approval for, as it prints them to the person, JSON
  gate approve "${1:-HEAD}" --base "${2:-main}" --reason x --key "$KEYS/mallory" --yes 2>&1 | python3 -c 'import json,re,sys; print(json.dumps([m.strip() for m in re.findall(r"^    ([a-z_]+ \S.* [0-9a-f]{12})$", sys.stdin.read(), re.M)]))'
  rm -rf .artifacts/.approvals; }

# The final call: by a person here, or by CI in a fresh clone of what was pushed.
judge() { final "${@:-HEAD}"; }
final() { env -u GATE_POLICY_REF gate verify --ref "$1" --base main --stage ci --quiet; }
judge_ci() {
  git push -q -f origin "${1:-HEAD}:refs/heads/topic"
  cd "$TOP" && mkdir -p home2 && rm -rf ci && HOME=$TOP/home2 git clone -q remote.git ci 2>/dev/null && cd ci && HOME=$TOP/home2 git checkout -q topic
  HOME=$TOP/home2 gate verify --ref HEAD --base refs/remotes/origin/main --policy-ref refs/remotes/origin/main --stage ci --profile code_default --quiet
}
