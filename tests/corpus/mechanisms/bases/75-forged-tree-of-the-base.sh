# The loose object of the base's tree has the content of HEAD's: git reads it without computing its name again, and then nothing differs.
# rights: user
# expect: fail|error
. "$ATTACKS/common.sh"
light
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i '/^def test_half/,$d; s/import half, /import /' tests/test_shop.py; commit -m 'Tidy up'
  a=$(git rev-parse "$BASE^{tree}"); b=$(git rev-parse 'HEAD^{tree}'); file=".git/objects/${a:0:2}/${a:2}"
  chmod u+w "$file"; cp ".git/objects/${b:0:2}/${b:2}" "$file"
fi
judge
