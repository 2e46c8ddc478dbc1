# Bob may approve weakenings alone; he signs a change of policy in the namespace of policy.
# rights: none
# expect: fail
# because: may not sign for
. "$ATTACKS/common.sh"
make_project
loosen; save 'Disclose what is weakened'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main; carry
else
  hand bob policy@verigate "$(tree_of)" "$LOOSEN" > "$TOP/forged"; mkdir -p .artifacts/.approvals; cp "$TOP/forged" .artifacts/.approvals/forged.json; carry
fi
judge_ci
