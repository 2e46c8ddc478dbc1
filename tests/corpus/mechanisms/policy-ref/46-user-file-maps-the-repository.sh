# policy.json in the user's own configuration maps the folder to the attacker's branch; the caller names no ref, main's config/policy.json names origin/main.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
POLICY_JSON='{"policy_ref": "origin/main"}' make_project
if [ -z "${HONEST:-}" ]; then
    break_code; loosen; save
    mkdir -p "$HOME/.config/verigate"; echo "{\"policy_refs\": {\"$TOP\": \"refs/heads/topic\"}}" >"$HOME/.config/verigate/policy.json"
else good_work; fi
cd "$TOP/repo"
clean gate verify --quiet --ref HEAD --base "$MAIN" --profile code_default
