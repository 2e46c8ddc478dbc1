# Alice approved the harmless change; the file names tree and findings twice, first hers and then those of the gutted one (and in a second file the other way round).
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then loosen; save; put alice "$LOOSEN"
else
  loosen; save; put alice "$LOOSEN"; cp .artifacts/.approvals/by-alice.json "$TOP/good.json"; rm -r .artifacts; gut; save
  mkdir -p .artifacts/.approvals; python3 - "$TOP/good.json" "$(tree_of)" "$GUT" <<P
import json, sys
good = json.load(open(sys.argv[1])); text = json.dumps(good); evil = f"\"tree\": {json.dumps(sys.argv[2])}, \"findings\": {sys.argv[3]}"
open(".artifacts/.approvals/last.json", "w").write(text[:-1] + ", " + evil + "}"); open(".artifacts/.approvals/first.json", "w").write("{" + evil + ", " + text[1:])
P
fi
carry
judge_ci
