# HEAD is a merge whose first parent is the bad work and whose second one is main, with main's date in the future, and the job asks for the base.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
light
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i '/^def test_half/,$d; s/import half, /import /' tests/test_shop.py
  git add -A; GIT_AUTHOR_DATE='1970-01-02T00:00:00Z' GIT_COMMITTER_DATE='1970-01-02T00:00:00Z' git commit -q -m 'Tidy up'
  merge=$(GIT_COMMITTER_DATE='2099-01-01T00:00:00Z' git commit-tree -m 'Merge main' -p HEAD -p "$BASE" 'HEAD^{tree}'); git reset -q --hard "$merge"
fi
fresh_clone
base=$(clean gate-ci base)
clean gate verify --ref HEAD --base "$base" --profile code_default --stage ci --quiet
