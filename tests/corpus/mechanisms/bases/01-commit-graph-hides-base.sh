# The commit-graph in .git, which git trusts unread, says that main descends from the branch, so that the base of CI's own search is the branch itself.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i 's/price \/ 2/price \/ 3/' shop/__init__.py; commit -m 'Tidy up'
  python3 "$ATTACKS/lib/graph.py" . "$BASE=$(git rev-parse HEAD)"
fi
base=$(clean gate-ci base)
clean gate verify --ref HEAD --base "$base" --profile code_default --stage ci --quiet
