# A replacement of the base commit in refs/replace has the test removed already, so that nothing seems to be removed.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
light
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i '/^def test_half/,$d; s/import half, /import /' tests/test_shop.py; commit -m 'Tidy up'
  git replace "$BASE" "$(git commit-tree -m 'A shop, gated' 'HEAD^{tree}')"
fi
judge
