# The token signed that it was only touched; the byte of the flags in the blob is set to verified.
# rights: none
# expect: fail
KINDS=hardware
. "$ATTACKS/common.sh"
make_project
python3 "$ATTACKS/sk.py" new "$KEYS/token"; git checkout -q main; signer alice policy@verigate token > config/allowed-signers; git commit -q -a -m Keys; git push -q origin main; git checkout -q -B topic main
gut; save; mkdir -p .artifacts/.approvals
[ -n "${HONEST:-}" ] || export SHOWN=5
python3 "$ATTACKS/sk.py" sign "$KEYS/token" "$([ -n "${HONEST:-}" ] && echo 5 || echo 1)" policy@verigate "$(tree_of)" "$GUT" > .artifacts/.approvals/a.json; carry
judge_ci
