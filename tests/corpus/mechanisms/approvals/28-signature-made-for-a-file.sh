# Alice was asked to sign "a document" with ssh-keygen in the namespace of files; its bytes are those of an approval.
# rights: none
# expect: fail
. "$ATTACKS/common.sh"
make_project
gut; save 'Less'
if [ -n "${HONEST:-}" ]; then approves alice HEAD --base main; carry
else
  hand alice policy@verigate "$(tree_of)" "$GUT" '{"_namespace": "file"}' > "$TOP/forged"; mkdir -p .artifacts/.approvals; cp "$TOP/forged" .artifacts/.approvals/forged.json; carry
fi
judge_ci
