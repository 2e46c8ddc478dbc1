# The same tag, where the job names the base itself: --base origin/main, as many a job is written.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i 's/price \/ 2/price \/ 3/' shop/__init__.py; commit -m 'Tidy up'
  git tag origin/main; git push -q origin refs/tags/origin/main
fi
fresh_clone
clean gate verify --ref HEAD --base origin/main --profile code_default --stage ci --quiet
