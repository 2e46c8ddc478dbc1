# A statement of the claim calls itself the message of a commit, for which a test that names the function is enough; the test can't fail.
# rights: none
# expect: fail|undecided
. "$ATTACKS/common.sh"
make_project
clean gate start work > /dev/null
if [ -n "${HONEST:-}" ]; then
  printf 'from shop import half\n\n\ndef test_half_of_three():\n    assert half(3) == 1.5\n' > tests/test_half.py
else
  printf 'from shop import half\n\n\ndef test_half_of_three():\n    assert half is not None\n' > tests/test_half.py
fi
printf '{"schema": "verigate:claim.v1", "task_id": "work", "claim": {"type": "code", "statements": [{"id": "s", "text": "Add tests for `half()`", "source": "commit"}]}}\n' > .artifacts/work/claim.json
commit -m 'Work' -m 'Gate-Task: work'
judge work
