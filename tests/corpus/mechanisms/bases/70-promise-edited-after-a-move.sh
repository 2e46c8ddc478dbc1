# The folder of the repository is renamed, and then the commitment is edited; what was sealed is filed under the place of before.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
light
make_project
clean gate start work --function third > /dev/null
if [ -n "${HONEST:-}" ]; then
  printf '"""Prices."""\n\n\ndef third(price):\n    """A third."""\n    return price / 3\n' > shop/prices.py
else
  cd "$TOP"; mv p q; cd q
  echo '"""Prices."""' > shop/prices.py; printf '{"task_id": "work", "type": "code", "base": "%s"}\n' "$BASE" > .artifacts/work/commitment.json
fi
clean gate claim work file:shop/prices.py > /dev/null
clean gate verify work --quiet
