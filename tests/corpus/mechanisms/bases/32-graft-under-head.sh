# A line in .git/info/grafts gives HEAD a parent in which the test is gone already.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
light
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i '/^def test_half/,$d; s/import half, /import /' tests/test_shop.py; commit -m 'Tidy up'
  other=$(git commit-tree -m other -p "$BASE" 'HEAD^{tree}'); mkdir -p .git/info; echo "$(git rev-parse HEAD) $other" > .git/info/grafts
fi
clean gate verify --ref HEAD --profile code_default --stage ci --quiet
