# A pushed tag has the name of the abbreviated commit that the job compares with, and points to the branch's own tip.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i 's#price / 2#price / 3#' shop/__init__.py; commit -m 'Describe prices'
  git tag "${BASE:0:10}"; git push -q origin "refs/tags/${BASE:0:10}"
fi
fresh_clone
clean gate verify --ref HEAD --base "${BASE:0:10}" --profile code_default --stage ci --quiet
