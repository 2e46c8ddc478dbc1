# Bob's signature in the namespace that he may use names the finding of policy: if findings of all valid approvals were put together, it would count.
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
make_project
loosen; skip_test; save 'Disclose what is weakened'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main; carry
else
  hand bob weakening@verigate "$(tree_of)" "$(findings_of HEAD)" > "$TOP/forged"; mkdir -p .artifacts/.approvals; cp "$TOP/forged" .artifacts/.approvals/forged.json; carry
fi
judge_ci
