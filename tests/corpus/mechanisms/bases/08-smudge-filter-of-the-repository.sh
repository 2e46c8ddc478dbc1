# A filter that .git/config and .git/info/attributes declare mends the code on its way into the checkout in which tests run.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i 's/price \/ 2/price \/ 3/' shop/__init__.py; commit -m 'Tidy up'
  git config filter.mend.smudge "sed 's#price / 3#price / 2#'"; git config filter.mend.clean cat
  echo 'shop/*.py filter=mend' > .git/info/attributes
fi
judge
