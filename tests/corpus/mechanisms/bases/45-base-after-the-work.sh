# The commitment that gate start sealed is edited afterwards: its base becomes the commit with the removed test.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
light
make_project
clean gate start work > /dev/null
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; git add -A; git commit -q -m 'Describe prices'
else
  sed -i '/^def test_half/,$d; s/import half, /import /' tests/test_shop.py; git add -A; git commit -q -m 'Tidy up'
  sed -i "s/$BASE/$(git rev-parse HEAD)/" .artifacts/work/commitment.json; echo '"""Prices."""' > shop/prices.py
fi
clean gate claim work file:shop/prices.py > /dev/null
clean gate verify work --quiet
