# A pushed tag has the name of the branch that is verified by its name, and points to an earlier, decent commit of it.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
if [ -z "${HONEST:-}" ]; then
  git tag topic; git push -q origin refs/tags/topic
  sed -i 's#price / 2#price / 3#' shop/__init__.py; commit -m 'Tidy up'
fi
fresh_clone
clean gate verify --ref topic --base "$BASE" --profile code_default --stage ci --quiet
