# The branch is a new root without a common ancestor, in which a test is gone, and the range is taken from main to it.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
light
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  git checkout -q --orphan fresh; sed -i '/^def test_half/,$d; s/import half, /import /' tests/test_shop.py; commit -m 'A shop'
fi
fresh_clone
clean gate verify --range refs/remotes/origin/main..HEAD --profile code_default --stage ci --quiet
