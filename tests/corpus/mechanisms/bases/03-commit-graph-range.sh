# The commit-graph leaves a commit that removes a test out of the range, by naming its grandparent as the parent of the next one, and the next one puts it back weaker.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i 's/price \/ 2/price \/ 3/' shop/__init__.py; commit -m 'Tidy up'
  sed -i 's/price \/ 3/price \/ 2/' shop/__init__.py; commit -m 'Tidy up more'
  python3 "$ATTACKS/lib/graph.py" . "$(git rev-parse HEAD)=$BASE"
fi
clean gate verify --range "$BASE..HEAD" --profile code_default --stage ci --quiet
