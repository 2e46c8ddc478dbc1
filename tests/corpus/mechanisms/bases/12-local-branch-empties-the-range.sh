# The pull request's branch is called origin/main; a job that checks it out by name compares origin/main..HEAD, which is then empty.
# rights: none
# expect: fail|error
. "$ATTACKS/common.sh"
make_project
if [ -n "${HONEST:-}" ]; then
  echo '"""Prices."""' > shop/prices.py; commit -m 'Describe prices'; name=topic2
else
  sed -i 's/price \/ 2/price \/ 3/' shop/__init__.py; commit -m 'Tidy up'; name=origin/main
fi
git push -q origin "HEAD:refs/heads/$name"
fresh_clone; git checkout -q -b "$name" "refs/remotes/origin/$name"
clean gate verify --range origin/main..HEAD --profile code_default --stage ci --quiet
