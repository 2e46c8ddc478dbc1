# Only keys in hardware count; the token was touched, but didn't verify who touched it (the agent waited for a touch that was meant for a login).
# rights: none
# expect: fail
# because: didn't verify
KINDS=hardware
. "$ATTACKS/common.sh"
make_project
python3 "$ATTACKS/sk.py" new "$KEYS/token"; git checkout -q main; signer alice policy@verigate token > config/allowed-signers; git commit -q -a -m Keys; git push -q origin main; git checkout -q -B topic main
gut; save; mkdir -p .artifacts/.approvals
python3 "$ATTACKS/sk.py" sign "$KEYS/token" "$([ -n "${HONEST:-}" ] && echo 5 || echo 1)" policy@verigate "$(tree_of)" "$GUT" > .artifacts/.approvals/a.json; carry
judge_ci
