# The plan has a second type whose profile asks for nothing; the proof looks at the type code alone, a task of the other type is judged by less.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -z "${HONEST:-}" ]; then
    echo '{"code": {"order": ["code:diff", "code:tests"], "required": ["code:diff", "code:tests"], "optional": []}, "sketch": {"order": ["code:diff"], "required": ["code:diff"], "optional": []}}' >config/adapter-plan.json
    echo '{"code_default": {"tests_pass": true, "tests_min": 1}, "sketch_default": {"required_artifacts": ["diff.json"]}}' >config/verification.profiles.json
fi
save
sketch() {
    break_code; mkdir -p .artifacts/s
    printf '{"task_id": "s", "type": "sketch", "base": "%s"}\n' "$(git rev-parse main)" >.artifacts/s/commitment.json
    printf '{"task_id": "s", "claim": {"type": "sketch", "units": ["file:shop/total.py"]}}\n' >.artifacts/s/claim.json
    git add --all; git commit -q -m 'Sketch' -m 'Gate-Task: s'
}
judge sketch
