# A pushed tag called main, which git fetch prefers to the branch, points to the change, so that a job that fetches the target's policy by its short name gets the change's own.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
light
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i '/^def test_half/,$d; s/import half, /import /' tests/test_shop.py
  sed -i 's/"weakening": "disclose"/"weakening": "allow", "allow_policy_change": true/' config/verification.profiles.json; commit -m 'Tidy up'
  git tag main; git push -q origin refs/tags/main
fi
fresh_clone
job() { clean env CHANGE_TARGET=main BRANCH_NAME=PR-1 JENKINS_URL=http://localhost/ BUILD_ID=1 "$@"; }
base=$(job gate-ci base); policy=$(job gate-ci policy); echo "base $base policy $policy"
job gate verify --ref HEAD --base "$base" --policy-ref "$policy" --profile code_default --stage ci --quiet
