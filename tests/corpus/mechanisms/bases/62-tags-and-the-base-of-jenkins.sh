# Pushed tags called main and origin/main point to the change; the job asks for the base of a pull request with the target main.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'
else
  sed -i 's#price / 2#price / 3#' shop/__init__.py; commit -m 'Tidy up'
  git tag main; git tag origin/main; git push -q origin refs/tags/main refs/tags/origin/main
fi
fresh_clone; git branch -q -D main 2> /dev/null || true
job() { clean env CHANGE_TARGET=main BRANCH_NAME=PR-1 JENKINS_URL=http://localhost/ BUILD_ID=1 "$@"; }
base=$(job gate-ci base); echo "base $base"
job gate verify --ref HEAD --base "$base" --profile code_default --stage ci --quiet
