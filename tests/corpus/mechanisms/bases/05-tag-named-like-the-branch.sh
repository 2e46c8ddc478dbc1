# A pushed tag called origin/main, which git prefers to the remote's branch, points to the branch's own tip, so that the range that CI names is empty.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i 's/price \/ 2/price \/ 3/' shop/__init__.py; commit -m 'Tidy up'
  git tag origin/main; git push -q origin refs/tags/origin/main
fi
fresh_clone
clean gate verify --range origin/main..HEAD --profile code_default --stage ci --quiet
