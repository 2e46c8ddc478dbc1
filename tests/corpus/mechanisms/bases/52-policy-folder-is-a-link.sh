# The folder config becomes a link to another one of the tree with a laxer policy, and the job reads the policy of the change.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
light
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py
else
  sed -i '/^def test_half/,$d; s/import half, /import /' tests/test_shop.py
  git mv config settings; ln -s settings config; sed -i 's/"disclose"/"allow"/' settings/verification.profiles.json
fi
commit -m 'Describe prices'
fresh_clone
clean gate verify --ref HEAD --base "$BASE" --profile code_default --stage ci --quiet
