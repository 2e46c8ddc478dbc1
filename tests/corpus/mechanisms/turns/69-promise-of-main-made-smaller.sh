# The commitment of the task lies on main; the change that is judged by it makes it smaller.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
light
more_project() { mkdir -p .artifacts/work; printf '{"task_id": "work", "type": "code", "requirements": {"functions": ["third"]}, "commitments": {"scope": {"functions": ["third"]}}}\n' > .artifacts/work/commitment.json; }
make_project
if [ -n "${HONEST:-}" ]; then decent_work; else
  echo '"""Prices."""' > shop/prices.py; printf '{"task_id": "work", "type": "code"}\n' > .artifacts/work/commitment.json
fi
clean gate claim work file:shop/prices.py > /dev/null
commit -m 'Work' -m 'Gate-Task: work'
judge work
