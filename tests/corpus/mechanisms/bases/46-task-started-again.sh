# The task is started again under the same name after the work, by which its promise and its base are other ones.
# rights: user
# expect: fail|error|undecided
. "$ATTACKS/common.sh"
light
make_project
clean gate start work --function third > /dev/null
if [ -n "${HONEST:-}" ]; then
  printf '"""Prices."""\n\n\ndef third(price):\n    """A third."""\n    return price / 3\n' > shop/prices.py
else
  sed -i '/^def test_half/,$d; s/import half, /import /' tests/test_shop.py; git add -A; git commit -q -m 'Tidy up'; echo '"""Prices."""' > shop/prices.py
  clean gate end work --remove > /dev/null || true; rm -rf .artifacts/work; clean gate start work > /dev/null
fi
clean gate claim work file:shop/prices.py > /dev/null
clean gate verify work --quiet
