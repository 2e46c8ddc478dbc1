# The claim has its key twice, and an older form of it beside: what is read first and what is read last say different things.
# rights: none
# expect: fail|error|undecided
. "$ATTACKS/common.sh"
light
make_project
clean gate start work > /dev/null
echo '"""Prices."""' > shop/prices.py
if [ -n "${HONEST:-}" ]; then
  echo '{"task_id": "work", "claim": {"type": "code", "units_list": ["file:shop/prices.py"]}}' > .artifacts/work/claim.json
else
  echo '{"task_id": "work", "claim": {"type": "code", "units_list": ["func:refund"]}, "claimed": {"type": "code", "units_list": ["func:refund", "file:shop/other.py"]}, "claim": {"type": "code", "units_list": ["file:shop/prices.py"]}}' > .artifacts/work/claim.json
fi
commit -m 'Work' -m 'Gate-Task: work'
judge work
