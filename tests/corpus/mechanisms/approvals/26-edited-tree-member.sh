# Tree and findings of Alice's approval are edited to those of the gutted policy; the signature stays.
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
make_project
loosen; save 'Disclose what is weakened'; approves alice HEAD --base main
if [ -n "${HONEST:-}" ]; then carry
else
  file=$(ls .artifacts/.approvals/*.json); cp "$file" "$TOP/good.json"; gut; save 'Tidy'; findings=$GUT
  python3 - "$TOP/good.json" "$(tree_of)" "$findings" > "$TOP/forged" <<'P'
import json, sys
said = json.load(open(sys.argv[1])); said["tree"] = sys.argv[2]; said["findings"] = json.loads(sys.argv[3]); print(json.dumps(said))
P
  git rm -q -r --cached .artifacts/.approvals 2>/dev/null || true; rm -rf .artifacts/.approvals; mkdir -p .artifacts/.approvals; cp "$TOP/forged" .artifacts/.approvals/forged.json; carry
fi
judge_ci
