# A line in .git/shallow makes HEAD look like a root, so that it is compared with the empty tree, in which no test was removed.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i '/^def test_half/,$d' tests/test_shop.py; sed -i 's/price \/ 2/price \/ 3/; s/import half, /import /' shop/__init__.py tests/test_shop.py; commit -m 'Tidy up'
  git rev-parse HEAD > .git/shallow
fi
clean gate verify --ref HEAD --profile code_default --stage ci --quiet
