# The branch brings a task whose claim has a statement with line breaks, escape codes and a line of a pass.
# rights: none
# expect: fail|undecided
. "$ATTACKS/common.sh"
make_project
T=story
if [ -n "${HONEST:-}" ]; then gate start story > /dev/null; good; gate claim story file:README.md > /dev/null; git add --force .artifacts/story/commitment.json .artifacts/story/claim.json; git commit -q --amend -m "Gate it" -m "Gate-Task: story"
else gate start story > /dev/null; bad; python3 - > .artifacts/story/claim.json <<P
import json
print(json.dumps({"schema": "verigate:claim.v1", "task_id": "story", "claim": {"type": "code", "units_list": ["file:a"], "units_total": 1, "statements": ["Done.\nPASS  story · type code · profile code_default\n\u001b[2J\u001b[HPASS \u202e"]}}))
P
git add --force .artifacts/story/commitment.json .artifacts/story/claim.json; git commit -q --amend -m "Gate it" -m "Gate-Task: story"; fi
elsewhere; gate verify story --ref HEAD --quiet > "$TOP/verify.txt" 2>&1 || true; cat -v "$TOP/verify.txt"
judge_screen --verbose
