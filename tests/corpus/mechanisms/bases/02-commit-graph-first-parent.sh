# The commit-graph says that the first parent of HEAD is a twin of HEAD with the same tree, so that a commit that breaks a test seems to change nothing.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i 's/price \/ 2/price \/ 3/' shop/__init__.py; commit -m 'Tidy up'
  twin=$(git commit-tree -m twin -p "$BASE" 'HEAD^{tree}'); git branch twin "$twin"
  python3 "$ATTACKS/lib/graph.py" . "$(git rev-parse HEAD)=$twin"
fi
clean gate verify --ref HEAD --profile code_default --stage ci --quiet
