# Two armours in one member: a genuine one of another approval, with flags that verify, and the one that was only touched; whoever reads the flags may look at another block than ssh-keygen.
# rights: none
# expect: fail
KINDS=hardware
. "$ATTACKS/common.sh"
make_project
python3 "$ATTACKS/sk.py" new "$KEYS/token"; git checkout -q main; signer alice policy@verigate token > config/allowed-signers; git commit -q -a -m Keys; git push -q origin main; git checkout -q -B topic main
gut; save; mkdir -p .artifacts/.approvals
if [ -n "${HONEST:-}" ]; then python3 "$ATTACKS/sk.py" sign "$KEYS/token" 5 policy@verigate "$(tree_of)" "$GUT" > .artifacts/.approvals/a.json
else
  other=$(python3 "$ATTACKS/sk.py" sign "$KEYS/token" 5 policy@verigate "$(git rev-parse main^{tree})" "$LOOSEN" | python3 -c "import json,sys; print(json.load(sys.stdin)[\"signature\"])")
  AFTER="$other
" python3 "$ATTACKS/sk.py" sign "$KEYS/token" 1 policy@verigate "$(tree_of)" "$GUT" > .artifacts/.approvals/a.json
  BEFORE="$other
" python3 "$ATTACKS/sk.py" sign "$KEYS/token" 1 policy@verigate "$(tree_of)" "$GUT" > .artifacts/.approvals/b.json
fi
carry
judge_ci
