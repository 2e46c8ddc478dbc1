# The commitment is edited in a linked worktree, which has artifacts of its own, so that the promise is smaller there.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
light
make_project
clean gate start work --function third > /dev/null
git worktree add -q -b side "$TOP/side" HEAD; mkdir -p "$TOP/side/.artifacts/work"; cp .artifacts/work/commitment.json "$TOP/side/.artifacts/work/"; cd "$TOP/side"
if [ -n "${HONEST:-}" ]; then
  printf '"""Prices."""\n\n\ndef third(price):\n    """A third."""\n    return price / 3\n' > shop/prices.py
else
  echo '"""Prices."""' > shop/prices.py; printf '{"task_id": "work", "type": "code", "base": "%s"}\n' "$BASE" > .artifacts/work/commitment.json
fi
clean gate claim work file:shop/prices.py > /dev/null
clean gate verify work --quiet
