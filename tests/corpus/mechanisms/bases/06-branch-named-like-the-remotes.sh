# The branch of the pull request is called origin/main, and the job checks it out by its name, so that the local branch stands before the remote's one.
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
base=$(clean gate-ci base)
clean gate verify --ref HEAD --base "$base" --profile code_default --stage ci --quiet
